#include "instrument/written_out.h"

#include "instrument/function_walk.h"
#include "instrument/operations.h"
#include "program/debug_type.h"

#include <llvm/ADT/StringSwitch.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace faultline::instrument {

using llvm::Value;
using numeric::Format;
using ops::Op;

namespace {

// Removes the letter of the format.
llvm::StringRef without_format(llvm::StringRef name) {
  if (!name.consume_back("f"))
    name.consume_back("l");
  return name;
}

llvm::StringRef fortran_name(llvm::StringRef name) {
  if (!name.consume_front("_FortranA") ||
      !(name.consume_back("10") || name.consume_back("4") || name.consume_back("8")))
    return {};
  return name;
}

Composed composed_name(llvm::StringRef name) {
  if (complex_parts(name))
    return Composed::complex;
  const Composed kind = llvm::StringSwitch<Composed>(without_format(name))
                            .Case("significand", Composed::scaled)
                            .Cases("nextafter", "nexttoward", "nextup", "nextdown", Composed::moved)
                            .Default(Composed::none);
  if (kind != Composed::none)
    return kind;
  return llvm::StringSwitch<Composed>(fortran_name(name))
      .Cases("Fraction", "SetExponent", Composed::scaled)
      .Case("Nearest", Composed::moved)
      .Case("Spacing", Composed::constant)
      .Default(Composed::none);
}

// Returns the float type of the parts of a complex function.
llvm::Type* part_type(const llvm::CallBase& call) {
  llvm::Type* type = call.getType();
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type))
    type = structure->getNumElements() == 2 ? structure->getElementType(0) : type;
  return type->getScalarType();
}

// True for a complex argument: two floats, a vector of two, or a pointer to two.
bool has_complex_argument(const llvm::CallBase& call, unsigned lanes) {
  if (lanes == 0 || lanes > 2 || !format_of(part_type(call)))
    return false;
  if (call.arg_size() == 1)
    return call.isByValArgument(0) || lane_count(call.getArgOperand(0)->getType()) == 2;
  return call.arg_size() == 2 && call.getArgOperand(0)->getType() == part_type(call) &&
         call.getArgOperand(1)->getType() == part_type(call);
}

} // namespace

std::optional<ComplexParts> complex_parts(llvm::StringRef name) {
  using Parts = ComplexParts;
  const Parts parts = llvm::StringSwitch<Parts>(without_format(name))
                          .Case("cexp", {{Op::cexp_re}, {Op::cexp_im}})
                          .Case("clog", {{Op::clog_re}, {Op::atan2, true}})
                          .Case("csqrt", {{Op::csqrt_re}, {Op::csqrt_im}})
                          .Case("csin", {{Op::csin_re}, {Op::csin_im}})
                          .Case("ccos", {{Op::ccos_re}, {Op::ccos_im}})
                          .Case("ctan", {{Op::ctan_re}, {Op::ctan_im}})
                          .Case("csinh", {{Op::csinh_re}, {Op::csinh_im}})
                          .Case("ccosh", {{Op::ccosh_re}, {Op::ccosh_im}})
                          .Case("ctanh", {{Op::ctanh_re}, {Op::ctanh_im}})
                          .Case("cabs", {{Op::hypot}, {}})
                          .Case("carg", {{Op::atan2, true}, {}})
                          .Default({});
  return parts.real.op == Op::none ? std::nullopt : std::optional(parts);
}

Composed composed(const llvm::CallBase& call) {
  auto* function = call.getCalledFunction();
  if (!function || !function->isDeclaration() || call.arg_size() == 0)
    return Composed::none;
  const Composed kind = composed_name(function->getName());
  switch (kind) {
  case Composed::complex: {
    const unsigned lanes = complex_parts(function->getName())->imaginary.op == Op::none ? 1 : 2;
    return lane_count(call.getType()) == lanes && has_complex_argument(call, lanes) ? kind : Composed::none;
  }
  case Composed::scaled:
  case Composed::moved:
    return format_of(call.getType()) && call.getType() == call.getArgOperand(0)->getType() ? kind : Composed::none;
  default:
    return kind;
  }
}

void FunctionWalk::composed_call(llvm::CallBase& call, Composed kind) {
  switch (kind) {
  case Composed::complex:
    return complex_call(call, *complex_parts(call.getCalledFunction()->getName()));
  case Composed::scaled:
  case Composed::moved:
    return shifted_call(call, kind);
  default:
    return leaves(call);
  }
}

// Replaces `native` by `value`. Instrumentation of the native result is placed after the freeze.
void FunctionWalk::replace_except(llvm::CallBase& call, Value* native, Value* value) {
  if (value != native)
    call.replaceUsesWithIf(value, [&](llvm::Use& use) { return use.getUser() != native; });
}

FunctionWalk::Indices FunctionWalk::complex_argument(Builder& builder, llvm::CallBase& call, Format format) {
  Value* first = call.getArgOperand(0);
  if (call.isByValArgument(0)) {
    llvm::Type* type = part_type(call);
    Indices indices;
    for (uint64_t offset : {uint64_t(0), layout_.getTypeAllocSize(type).getFixedValue()}) {
      Value* where = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), first, offset);
      indices.push_back(emitter_.load(builder, where, builder.CreateLoad(type, where), format));
    }
    return indices;
  }
  Indices indices = indices_of(first, builder);
  if (call.arg_size() == 2)
    indices.push_back(indices_of(call.getArgOperand(1), builder)[0]);
  return indices;
}

void FunctionWalk::complex_call(llvm::CallBase& call, const ComplexParts& parts) {
  Builder builder(after(call));
  const Format format = *format_of(part_type(call));
  Value* native = builder.CreateFreeze(&call);
  const Indices argument = complex_argument(builder, call, format);
  const Lanes lanes = lanes_of(call.getType(), layout_);
  Value* whole = native;
  Indices indices;
  for (size_t i = 0; i < lanes.size(); ++i) {
    const ComplexParts::Half& half = i == 0 ? parts.real : parts.imaginary;
    const Operation operation{half.op, format, format, true, {}};
    Value* part = extract(builder, native, lanes[i]);
    Emitted emitted = emitter_.operation(builder, sites_.add(operation, call),
                                         {argument[half.swapped], argument[!half.swapped]}, part, format);
    indices.push_back(emitted.index);
    if (emitted.value == part)
      continue;
    whole = lanes.size() == 1       ? emitted.value
            : lanes[i].element >= 0 ? builder.CreateInsertElement(whole, emitted.value, uint64_t(lanes[i].element))
                                    : builder.CreateInsertValue(whole, emitted.value, lanes[i].path);
  }
  indices_[&call] = indices;
  indices_[whole] = indices;
  replace_except(call, native, whole);
}

// The native call remains, for the value that it found.
void FunctionWalk::shifted_call(llvm::CallBase& call, Composed kind) {
  Builder builder(after(call));
  const Format format = *format_of(call.getType());
  Value* native = builder.CreateFreeze(&call);
  Value* argument = call.getArgOperand(0);
  Value* operand = indices_of(argument, builder)[0];
  Value* found = nullptr;
  if (kind == Composed::scaled) {
    const std::string name = std::string("ilogb") + numeric::info(format).libm_suffix;
    llvm::FunctionCallee exponent =
        function_.getParent()->getOrInsertFunction(name, builder.getInt32Ty(), call.getType());
    Value* shift = builder.CreateSub(builder.CreateCall(exponent, {native}), builder.CreateCall(exponent, {argument}));
    found = emitter_.leaf(builder, builder.CreateSIToFP(shift, builder.getDoubleTy()), Format::binary64);
  } else {
    found = emitter_.leaf(builder, builder.CreateFSub(native, argument), format);
  }
  const Operation operation{kind == Composed::scaled ? Op::ldexp : Op::fadd, format, format, true, {}};
  Emitted emitted = emitter_.operation(builder, sites_.add(operation, call), {operand, found}, native, format);
  indices_[&call] = {emitted.index};
  indices_[emitted.value] = {emitted.index};
  replace_except(call, native, emitted.value);
}

using Builder = llvm::IRBuilder<>;

namespace {

constexpr const char* mark = "faultline.written_out";

struct Routine {
  llvm::Type* element;
  bool transposed; // applies to the first factor
};

std::optional<Routine> routine_of(const llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  llvm::StringRef name = callee && callee->isDeclaration() ? callee->getName() : "";
  if (call.arg_size() < 3 || !name.consume_front("_FortranAMatmul"))
    return std::nullopt;
  const bool transposed = name.consume_front("Transpose");
  llvm::LLVMContext& context = call.getContext();
  if (name == "Real4Real4")
    return Routine{llvm::Type::getFloatTy(context), transposed};
  if (name == "Real8Real8")
    return Routine{llvm::Type::getDoubleTy(context), transposed};
  if (name == "Real10Real10")
    return Routine{llvm::Type::getX86_FP80Ty(context), transposed};
  return std::nullopt;
}

// A factor. `outer` is its dimension in the result, `inner` the dimension summed over. A vector has an outer dimension
// of one element.
struct Factor {
  Value *address, *outer_extent, *outer_stride, *inner_extent, *inner_stride;
};

Factor factor(Builder& builder, Value* descriptor, uint64_t outer) {
  program::DescribedArray array(builder, descriptor);
  Value* matrix = array.has(1); // all ones, or 0
  Value* vector = builder.CreateNot(matrix);
  auto either = [&](Value* of_matrix, Value* of_vector) {
    return builder.CreateOr(builder.CreateAnd(of_matrix, matrix), builder.CreateAnd(of_vector, vector));
  };
  const uint64_t inner = 1 - outer;
  return {array.address(), either(array.extent(outer), builder.getInt64(1)),
          builder.CreateAnd(array.stride(outer), matrix), either(array.extent(inner), array.extent(0)),
          either(array.stride(inner), array.stride(0))};
}

// Inserts the loops before `inside`, where no extent is 0: the loops run at least once.
void multiply(llvm::Instruction* inside, const Routine& routine, const Factor& a, const Factor& b, Value* result,
              const llvm::DebugLoc& location) {
  auto loop = [&inside](Value* extent) {
    auto [first, index] = llvm::SplitBlockAndInsertSimpleForLoop(extent, inside);
    inside = first;
    return index;
  };
  auto element = [](Builder& builder, Value* address, Value* index, Value* stride) {
    return builder.CreateGEP(builder.getInt8Ty(), address, builder.CreateMul(index, stride));
  };
  Value* column = loop(b.outer_extent);
  Value* row = loop(a.outer_extent);
  llvm::Instruction* after_sum = inside;
  llvm::BasicBlock* before_sum = inside->getParent();
  Builder outer(inside);
  Value* left = element(outer, a.address, row, a.outer_stride);
  Value* right = element(outer, b.address, column, b.outer_stride);
  Value* k = loop(a.inner_extent);

  Builder builder(inside);
  builder.SetCurrentDebugLocation(location);
  Value* x = builder.CreateLoad(routine.element, element(builder, left, k, a.inner_stride));
  Value* y = builder.CreateLoad(routine.element, element(builder, right, k, b.inner_stride));
  llvm::BasicBlock* body = inside->getParent();
  llvm::PHINode* sum = llvm::PHINode::Create(routine.element, 2, "", body->begin());
  Value* next = builder.CreateFAdd(sum, builder.CreateFMul(x, y));
  sum->addIncoming(llvm::ConstantFP::getZero(routine.element), before_sum);
  sum->addIncoming(next, body);

  Builder end(after_sum);
  end.SetCurrentDebugLocation(location);
  Value* index = end.CreateAdd(row, end.CreateMul(column, a.outer_extent));
  end.CreateStore(next, end.CreateGEP(routine.element, result, index));
}

void write_out(llvm::CallInst& call, const Routine& routine) {
  for (const unsigned factor : {1u, 2u}) {
    call.addParamAttr(factor, llvm::Attribute::ReadOnly);
    call.addParamAttr(factor, llvm::Attribute::NoCapture);
  }
  call.setMetadata(mark, llvm::MDNode::get(call.getContext(), {}));
  Builder builder(call.getNextNode());
  const Factor a = factor(builder, call.getArgOperand(1), routine.transposed ? 1 : 0);
  const Factor b = factor(builder, call.getArgOperand(2), 1);
  Value* result = builder.CreateLoad(builder.getPtrTy(), call.getArgOperand(0));
  Value* some = builder.CreateICmpNE(
      builder.CreateMul(builder.CreateMul(a.outer_extent, a.inner_extent), b.outer_extent), builder.getInt64(0));
  llvm::Instruction* inside = llvm::SplitBlockAndInsertIfThen(some, &*builder.GetInsertPoint(), false);
  multiply(inside, routine, a, b, result, call.getDebugLoc());
}

} // namespace

void write_out_matmul(llvm::Module& module) {
  llvm::SmallVector<std::pair<llvm::CallInst*, Routine>, 4> calls;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function))
      if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction); call && !call->isMustTailCall())
        if (const std::optional<Routine> routine = routine_of(*call))
          calls.emplace_back(call, *routine);
  for (auto& [call, routine] : calls)
    write_out(*call, routine);
}

bool is_written_out(const llvm::CallBase& call) { return call.hasMetadata(mark); }

using Builder = llvm::IRBuilder<>;

namespace {

struct ComplexValue {
  Value* real;
  Value* imaginary;
};

enum class Kind { none, division, power, integer_power };

Kind kind_of(llvm::StringRef name) {
  return llvm::StringSwitch<Kind>(name)
      .Cases("__divsc3", "__divdc3", "__divxc3", Kind::division)
      .Cases("cpow", "cpowf", Kind::power)
      .Cases("_FortranAcpowi", "_FortranAzpowi", "_FortranAcpowk", "_FortranAzpowk", Kind::integer_power)
      .Default(Kind::none);
}

ComplexValue parts(Builder& builder, Value* whole) {
  if (whole->getType()->isVectorTy())
    return {builder.CreateExtractElement(whole, uint64_t(0)), builder.CreateExtractElement(whole, uint64_t(1))};
  return {builder.CreateExtractValue(whole, 0), builder.CreateExtractValue(whole, 1)};
}

Value* whole(Builder& builder, llvm::Type* type, const ComplexValue& value) {
  Value* empty = llvm::PoisonValue::get(type);
  if (type->isVectorTy())
    return builder.CreateInsertElement(builder.CreateInsertElement(empty, value.real, uint64_t(0)), value.imaginary,
                                       uint64_t(1));
  return builder.CreateInsertValue(builder.CreateInsertValue(empty, value.real, 0), value.imaginary, 1);
}

bool is_complex(const llvm::Type* type) {
  if (auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type))
    return vector->getNumElements() == 2 && vector->getElementType()->isFloatTy();
  auto* structure = llvm::dyn_cast<llvm::StructType>(type);
  return structure && structure->getNumElements() == 2 && format_of(structure->getElementType(0)) &&
         structure->getElementType(0) == structure->getElementType(1);
}

// Returns the complex arguments, each as two floats or a vector of two; empty if there are other arguments among them.
llvm::SmallVector<ComplexValue, 2> complex_arguments(Builder& builder, const llvm::CallBase& call, unsigned count) {
  llvm::SmallVector<ComplexValue, 2> arguments;
  unsigned next = 0;
  while (arguments.size() < count && next < call.arg_size()) {
    Value* first = call.getArgOperand(next++);
    if (first->getType()->isVectorTy() && is_complex(first->getType()))
      arguments.push_back(parts(builder, first));
    else if (format_of(first->getType()) && next < call.arg_size() &&
             call.getArgOperand(next)->getType() == first->getType())
      arguments.push_back({first, call.getArgOperand(next++)});
    else
      return {};
  }
  return arguments;
}

ComplexValue product(Builder& builder, const ComplexValue& z, const ComplexValue& w) {
  return {builder.CreateFSub(builder.CreateFMul(z.real, w.real), builder.CreateFMul(z.imaginary, w.imaginary)),
          builder.CreateFAdd(builder.CreateFMul(z.real, w.imaginary), builder.CreateFMul(z.imaginary, w.real))};
}

ComplexValue quotient(Builder& builder, llvm::Module& module, const ComplexValue& z, const ComplexValue& w) {
  llvm::Type* type = w.real->getType();
  auto magnitude = [&](Value* x) { return builder.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, x); };
  const std::string name = std::string("ilogb") + numeric::info(*format_of(type)).libm_suffix;
  llvm::FunctionCallee exponent = module.getOrInsertFunction(name, builder.getInt32Ty(), type);
  Value* shift = builder.CreateNeg(builder.CreateCall(
      exponent, {builder.CreateBinaryIntrinsic(llvm::Intrinsic::maxnum, magnitude(w.real), magnitude(w.imaginary))}));
  auto scaled = [&](Value* x) {
    return builder.CreateIntrinsic(llvm::Intrinsic::ldexp, {type, builder.getInt32Ty()}, {x, shift});
  };
  Value *c = scaled(w.real), *d = scaled(w.imaginary);
  Value* size = builder.CreateFAdd(builder.CreateFMul(c, c), builder.CreateFMul(d, d));
  Value* real = builder.CreateFAdd(builder.CreateFMul(z.real, c), builder.CreateFMul(z.imaginary, d));
  Value* imaginary = builder.CreateFSub(builder.CreateFMul(z.imaginary, c), builder.CreateFMul(z.real, d));
  return {scaled(builder.CreateFDiv(real, size)), scaled(builder.CreateFDiv(imaginary, size))};
}

ComplexValue power(Builder& builder, llvm::Module& module, llvm::CallBase& call, const ComplexValue& z,
                   const ComplexValue& w) {
  llvm::Type* type = call.getType();
  const bool vector = type->isVectorTy();
  auto function = [&](const char* name) {
    llvm::Type* part = z.real->getType();
    auto* signature = llvm::FunctionType::get(
        type, vector ? llvm::ArrayRef<llvm::Type*>{type} : llvm::ArrayRef<llvm::Type*>{part, part}, false);
    return module.getOrInsertFunction(name, signature);
  };
  auto apply = [&](llvm::FunctionCallee callee, const ComplexValue& x) {
    Value* result = vector ? builder.CreateCall(callee, {whole(builder, type, x)})
                           : builder.CreateCall(callee, {x.real, x.imaginary});
    return parts(builder, result);
  };
  return apply(function(vector ? "cexpf" : "cexp"), product(builder, w, apply(function(vector ? "clogf" : "clog"), z)));
}

// Computes a power by squaring. The exponent is at least 1.
ComplexValue power(Builder& builder, ComplexValue z, uint64_t exponent) {
  while (exponent % 2 == 0) {
    z = product(builder, z, z);
    exponent /= 2;
  }
  ComplexValue result = z;
  for (exponent /= 2; exponent != 0; exponent /= 2) {
    z = product(builder, z, z);
    if (exponent % 2 == 1)
      result = product(builder, result, z);
  }
  return result;
}

std::optional<ComplexValue> written_out(Builder& builder, llvm::CallBase& call, Kind kind) {
  llvm::Module& module = *call.getModule();
  const auto arguments = complex_arguments(builder, call, kind == Kind::integer_power ? 1 : 2);
  if (arguments.empty())
    return std::nullopt;
  if (kind == Kind::integer_power) {
    constexpr uint64_t most = 64;
    auto* exponent = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(call.arg_size() - 1));
    if (!exponent || exponent->isNegative() || exponent->isZero() || exponent->getValue().ugt(most))
      return std::nullopt;
    return power(builder, arguments[0], exponent->getZExtValue());
  }
  if (arguments.size() != 2)
    return std::nullopt;
  return kind == Kind::division ? quotient(builder, module, arguments[0], arguments[1])
                                : power(builder, module, call, arguments[0], arguments[1]);
}

// Moves the call into a branch for results that are NaN, and writes out the arithmetic before it.
void write_out(llvm::CallInst& call, Kind kind) {
  Builder builder(&call);
  builder.clearFastMathFlags();
  const std::optional<ComplexValue> result = written_out(builder, call, kind);
  if (!result)
    return;
  Value* ours = whole(builder, call.getType(), *result);
  Value* lost = builder.CreateFCmpUNO(result->real, result->imaginary);
  llvm::BasicBlock* before = call.getParent();
  llvm::Instruction* branch = llvm::SplitBlockAndInsertIfThen(lost, call.getNextNode(), false);
  call.moveBefore(branch);
  call.setTailCallKind(llvm::CallInst::TCK_None);
  Builder join(&*llvm::cast<llvm::BranchInst>(before->getTerminator())->getSuccessor(1)->begin());
  join.SetCurrentDebugLocation(call.getDebugLoc());
  llvm::PHINode* either = join.CreatePHI(call.getType(), 2);
  call.replaceAllUsesWith(either);
  either->addIncoming(ours, before);
  either->addIncoming(&call, call.getParent());
}

} // namespace

void write_out_calls(llvm::Module& module) {
  llvm::SmallVector<std::pair<llvm::CallInst*, Kind>, 8> calls;
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
      const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
      const Kind kind = callee && callee->isDeclaration() ? kind_of(callee->getName()) : Kind::none;
      if (kind != Kind::none && is_complex(call->getType()) && !call->isMustTailCall())
        calls.emplace_back(call, kind);
    }
  for (auto [call, kind] : calls)
    write_out(*call, kind);
}

} // namespace faultline::instrument
