// Calls: functions of libm, of memory, and those that pass residues to other instrumented code.
#include "instrument/operations.h"
#include "ops/op.h"
#include "run/function_twin.h"

#include <llvm/IR/IntrinsicInst.h>

namespace faultline::run {

using llvm::Value;

namespace {

constexpr size_t arguments_part = offsetof(CallBlock, arguments), results_part = offsetof(CallBlock, results);

// True if libm has this function for long double, under its name with an l.
bool has_long_form(ops::Op op) {
  using ops::Op;
  constexpr Op functions[] = {Op::exp,  Op::exp2,   Op::exp10,     Op::expm1, Op::log,  Op::log2,  Op::log10, Op::log1p,
                              Op::sin,  Op::cos,    Op::tan,       Op::asin,  Op::acos, Op::atan,  Op::sinh,  Op::cosh,
                              Op::tanh, Op::asinh,  Op::acosh,     Op::atanh, Op::pow,  Op::cbrt,  Op::hypot, Op::erf,
                              Op::erfc, Op::tgamma, Op::lgamma,    Op::fmod,  Op::fdim, Op::atan2, Op::j0,    Op::j1,
                              Op::y0,   Op::y1,     Op::remainder, Op::powi};
  return llvm::is_contained(functions, op);
}

std::optional<Check> direction_of(ops::Op op) {
  using ops::Op;
  switch (op) {
  case Op::floor:
    return Check::round_down;
  case Op::ceil:
    return Check::round_up;
  case Op::trunc:
    return Check::round_to_zero;
  case Op::round:
  case Op::to_int_round:
    return Check::round_away;
  case Op::rint:
  case Op::roundeven:
  case Op::to_int_rint:
    return Check::round_even;
  default:
    return std::nullopt;
  }
}

bool has_floats(const llvm::CallBase& call) {
  return is_followed(call.getType()) ||
         llvm::any_of(call.args(), [](const llvm::Use& use) { return is_followed(use->getType()); });
}

} // namespace

void FunctionTwin::visitCallBase(llvm::CallBase& call) {
  if (llvm::isa<llvm::DbgInfoIntrinsic>(call))
    return;
  if (auto* known = llvm::dyn_cast<llvm::IntrinsicInst>(&call); known && intrinsic(*known))
    return;
  if (math_function(call))
    return;
  if (llvm::isa<llvm::IntrinsicInst>(call) && !llvm::isa<llvm::MemTransferInst>(call))
    return;
  if (!call.isTerminator()) // else the group is closed
    close_group(&call);
  if (call.isInlineAsm())
    return;
  if (memory_function(call))
    return;
  printing(call);
  const llvm::Function* callee = call.getCalledFunction();
  if (callee && callee->isDeclaration())
    twin_.add_call(callee->getName(), counter(), has_floats(call));
  if (auto* plain = llvm::dyn_cast<llvm::CallInst>(&call); plain && !plain->isMustTailCall())
    plain->setTailCallKind(llvm::CallInst::TCK_None); // the results are read after the call
  pass_arguments(call);
  if (!call.isMustTailCall())
    take_results(call);
}

// The function at the exact operands, in x87's format. So its own rounding is in the residue, too.
bool FunctionTwin::math_function(llvm::CallBase& call) {
  if (call.isTerminator())
    return false;
  if (const auto kind = instrument::two_results(call); is_followed(call.getType())) {
    if (kind == instrument::TwoResults::frexp)
      scaled(call, call.getArgOperand(0));
    else if (kind == instrument::TwoResults::modf) // the fraction has the error of the whole
      shadows_[&call] = fraction(call);
    if (kind != instrument::TwoResults::none)
      return true;
  }
  const auto operation = instrument::operation_of(call);
  if (!operation)
    return false;
  if (const auto check = direction_of(operation->op)) {
    if (is_followed(operation->operands[0]->getType()))
      whole_number(call, operation->operands[0], *check);
    return true;
  }
  if (!is_followed(call.getType()) || call.getType()->isVectorTy())
    return is_followed(call.getType()) ? false : call.getType()->isX86_FP80Ty();
  using ops::Op;
  Builder builder(after(call));
  llvm::Value* first = operation->operands[0];
  switch (operation->op) {
  case Op::sqrt:
    root(call);
    return true;
  case Op::fma:
    fused(call);
    return true;
  case Op::fabs:
    magnitude(call, first);
    return true;
  case Op::ldexp:
    scaled(call, first);
    return true;
  case Op::fmin:
  case Op::fmax:
    extreme(call, first, operation->operands[1], operation->op == Op::fmax);
    return true;
  default:
    break;
  }
  if (!has_long_form(operation->op))
    return llvm::isa<llvm::IntrinsicInst>(call);
  llvm::Type* wider =
      is_binary32(call.getType()) ? builder.getDoubleTy() : llvm::Type::getX86_FP80Ty(call.getContext());
  llvm::SmallVector<Value*, 2> operands;
  llvm::SmallVector<Residue, 2> residues;
  llvm::SmallVector<llvm::Type*, 2> types;
  for (Value* operand : operation->operands) {
    types.push_back(wider);
    if (operand->getType()->isIntegerTy()) { // of a power
      operands.push_back(builder.CreateSIToFP(operand, wider));
      continue;
    }
    residues.push_back(known(operand));
    operands.push_back(is_binary32(call.getType())
                           ? residues.back().value
                           : builder.CreateFAdd(builder.CreateFPExt(operand, wider),
                                                builder.CreateFPExt(residues.back().value, wider)));
  }
  std::string name(operation->op == Op::powi ? "pow" : ops::name(operation->op));
  if (!is_binary32(call.getType()))
    name += "l";
  Value* exact = builder.CreateCall(twin_.entry(name.c_str(), wider, types), operands);
  if (is_binary32(call.getType())) {
    shadows_[&call] = exact;
  } else {
    Value* residue =
        builder.CreateFPTrunc(builder.CreateFSub(exact, builder.CreateFPExt(&call, wider)), builder.getDoubleTy());
    keep(&call, Rules(builder, twin_.place_of(call)).of_function(residue, residues));
  }
  check_operation(call, std::string(ops::name(operation->op)), first,
                  residues.size() > 1 ? operation->operands[1] : first);
  return true;
}

// The result is the operand times a power of two.
void FunctionTwin::scaled(llvm::CallBase& call, Value* operand) {
  Builder builder(after(call));
  Value* zero = llvm::ConstantFP::get(builder.getDoubleTy(), 0);
  Value* factor = builder.CreateFDiv(wide(builder, &call), wide(builder, operand));
  Value* of_zero = builder.CreateFCmpOEQ(wide(builder, operand), zero);
  keep(&call,
       {builder.CreateSelect(of_zero, zero, builder.CreateFMul(shadow(operand), factor)), causes_.lookup(operand)});
}

Value* FunctionTwin::fraction(llvm::CallBase& call) {
  Builder builder(after(call));
  Value* error = residue(builder, call.getArgOperand(0));
  return is_binary32(call.getType()) ? builder.CreateFAdd(wide(builder, &call), error) : error;
}

// The result of code that is not instrumented: exact if its operands are, else unknown.
Value* FunctionTwin::foreign_result(llvm::CallBase& call) {
  Builder before(&call);
  Value* inexact = nullptr;
  for (const llvm::Use& argument : call.args()) {
    if (!is_followed(argument->getType()) || argument->getType()->isVectorTy())
      continue;
    Value* error = residue(before, argument);
    if (is_zero(error))
      continue;
    Value* one = before.CreateFCmpUNE(error, llvm::ConstantFP::get(before.getDoubleTy(), 0));
    inexact = inexact ? before.CreateOr(inexact, one) : one;
  }
  if (!inexact)
    return nullptr;
  Builder builder(after(call));
  llvm::Constant* unknown = llvm::ConstantFP::getNaN(builder.getDoubleTy());
  return builder.CreateSelect(inexact, unknown, exact_shadow(&call));
}

// Copies of memory take the shadows along.
bool FunctionTwin::memory_function(llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  const llvm::StringRef name = callee && callee->isDeclaration() ? callee->getName() : "";
  const bool copies = llvm::isa<llvm::MemTransferInst>(call) || name == "memcpy" || name == "memmove";
  if (copies && !call.isTerminator()) {
    Builder builder(call.getNextNode());
    llvm::Type *pointer = builder.getPtrTy(), *word = builder.getInt64Ty();
    builder.CreateCall(
        twin_.entry("faultline_run_move", builder.getVoidTy(), {pointer, pointer, word}),
        {call.getArgOperand(0), call.getArgOperand(1), builder.CreateZExtOrTrunc(call.getArgOperand(2), word)});
    return true;
  }
  if (twin_.options().probes)
    fill_memory(call);
  if (name == "realloc" && call.arg_size() == 2) { // the runtime's own realloc() copies the shadow
    call.setCalledFunction(twin_.entry("faultline_run_realloc", call.getType(),
                                       {call.getArgOperand(0)->getType(), call.getArgOperand(1)->getType()}));
    return true;
  }
  return false;
}

Value* FunctionTwin::slot(Builder& builder, size_t part, unsigned index, bool value) {
  const size_t offset = part + (value ? offsetof(Passed, value) : offsetof(Passed, residue)) + size_t(index) * 8;
  return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), builder.CreateThreadLocalAddress(twin_.calls()),
                                            offset);
}

// Stores the value as a binary64, or a pointer, so that the receiver recognizes it.
void FunctionTwin::pass(Builder& builder, size_t part, unsigned& index, Value* value, Value* residue) {
  const unsigned lanes = lanes_of(value->getType());
  if (index + lanes > argument_slots)
    return;
  builder.CreateAlignedStore(wide(builder, value), slot(builder, part, index, true), llvm::Align(8));
  if (residue)
    builder.CreateAlignedStore(residue, slot(builder, part, index, false), llvm::Align(8));
  index += lanes;
}

// Returns the shadow of a value that was passed with it; else that of a leaf.
Value* FunctionTwin::received(Builder& builder, size_t part, unsigned& index, Value* value) {
  const unsigned lanes = lanes_of(value->getType());
  if (index + lanes > argument_slots)
    return nullptr;
  llvm::Type* type = shadow_type(value->getType());
  llvm::Type* bits = with_lanes(builder.getInt64Ty(), value->getType());
  Value* residue = builder.CreateAlignedLoad(type, slot(builder, part, index, false), llvm::Align(8));
  Value* passed = builder.CreateAlignedLoad(bits, slot(builder, part, index, true), llvm::Align(8));
  index += lanes;
  Value* computed = wide(builder, value);
  Value* same = builder.CreateICmpEQ(passed, builder.CreateBitCast(computed, bits));
  Value* known = builder.CreateSelect(same, residue, llvm::Constant::getNullValue(type));
  return is_binary32(value->getType()) ? builder.CreateFAdd(computed, known) : known;
}

void FunctionTwin::pass_arguments(llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (callee && callee->isDeclaration() && callee->getName().starts_with("llvm."))
    return;
  Builder builder(&call);
  unsigned index = 0;
  for (unsigned i = 0; i < call.arg_size() && i < call.getFunctionType()->getNumParams(); ++i) {
    Value* argument = call.getArgOperand(i);
    if (call.isByValArgument(i))
      pass(builder, arguments_part, index, builder.CreatePtrToInt(argument, builder.getInt64Ty()), nullptr);
    else if (is_followed(argument->getType()))
      pass(builder, arguments_part, index, argument, residue(builder, argument));
  }
}

void FunctionTwin::receive_arguments() {
  Builder builder(&*function_.getEntryBlock().getFirstInsertionPt());
  builder.SetCurrentDebugLocation({});
  unsigned index = 0;
  for (llvm::Argument& argument : function_.args()) {
    if (argument.hasByValAttr()) { // the ABI has copied it
      if (index >= argument_slots)
        continue;
      Value* original = builder.CreateLoad(builder.getPtrTy(), slot(builder, arguments_part, index++, true));
      llvm::Type *pointer = builder.getPtrTy(), *word = builder.getInt64Ty();
      const uint64_t bytes = layout_.getTypeAllocSize(argument.getParamByValType());
      builder.CreateCall(twin_.entry("faultline_run_copy_in", builder.getVoidTy(), {pointer, pointer, word}),
                         {&argument, original, builder.getInt64(bytes)});
    } else if (is_followed(argument.getType())) {
      if (Value* known = received(builder, arguments_part, index, &argument))
        shadows_[&argument] = known;
    }
  }
}

// The results of code that is not instrumented are leaves: it leaves the zeros that are stored before the call.
void FunctionTwin::take_results(llvm::CallBase& call) {
  llvm::Type* type = call.getType();
  const bool aggregate = type->isStructTy() || type->isArrayTy();
  if (!is_followed(type) && !aggregate)
    return;
  llvm::SmallVector<llvm::Type*, 4> elements;
  if (!aggregate)
    elements.push_back(type);
  for (unsigned i = 0;
       aggregate && i < (type->isStructTy() ? type->getStructNumElements() : unsigned(type->getArrayNumElements()));
       ++i)
    elements.push_back(type->isStructTy() ? type->getStructElementType(i) : type->getArrayElementType());
  if (!llvm::any_of(elements, is_followed))
    return;
  const llvm::Function* callee = call.getCalledFunction();
  if (callee && callee->isDeclaration() && !aggregate && !type->isVectorTy()) {
    if (Value* known = foreign_result(call))
      shadows_[&call] = known;
    return;
  }
  Builder before(&call);
  if (!callee || callee->isDeclaration() || callee->isInterposable())
    for (unsigned i = 0, index = 0; i < elements.size(); ++i)
      for (unsigned lane = 0; is_followed(elements[i]) && lane < lanes_of(elements[i]) && index < argument_slots;
           ++lane)
        before.CreateStore(llvm::ConstantFP::get(before.getDoubleTy(), 0), slot(before, results_part, index++, false));
  Builder builder(after(call));
  unsigned index = 0;
  if (!aggregate) {
    if (Value* known = received(builder, results_part, index, &call))
      shadows_[&call] = known;
    return;
  }
  Shadows shadows;
  for (unsigned i = 0; i < elements.size(); ++i)
    shadows.push_back(is_followed(elements[i])
                          ? received(builder, results_part, index, builder.CreateExtractValue(&call, i))
                          : nullptr);
  aggregates_[&call] = shadows;
}

void FunctionTwin::visitReturnInst(llvm::ReturnInst& ret) {
  Value* value = ret.getReturnValue();
  if (!value || ret.getParent()->getTerminatingMustTailCall())
    return;
  Builder builder(&ret);
  unsigned index = 0;
  if (is_followed(value->getType()))
    return pass(builder, results_part, index, value, residue(builder, value));
  const auto known = aggregates_.find(value);
  if (known == aggregates_.end())
    return;
  const auto* structure = llvm::dyn_cast<llvm::StructType>(value->getType());
  const unsigned count = structure ? structure->getNumElements() : unsigned(value->getType()->getArrayNumElements());
  for (unsigned i = 0; i < count; ++i) {
    if (!is_followed(structure ? structure->getElementType(i) : value->getType()->getArrayElementType()))
      continue;
    Value* element = builder.CreateExtractValue(value, i);
    Value* shadow = i < known->second.size() ? known->second[i] : nullptr;
    if (!shadow)
      shadow = exact_shadow(element);
    Value* error = is_binary32(element->getType()) ? builder.CreateFSub(shadow, wide(builder, element)) : shadow;
    pass(builder, results_part, index, element, error);
  }
}

} // namespace faultline::run
