#include "instrument/composed_calls.h"

#include "instrument/function_walk.h"

#include <llvm/ADT/StringSwitch.h>

namespace faultline::instrument {

using llvm::Value;
using numeric::Format;
using ops::Op;

namespace {

// Without the letter for its format.
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

// The float type of a complex function's parts.
llvm::Type* part_type(const llvm::CallBase& call) {
  llvm::Type* type = call.getType();
  if (auto* structure = llvm::dyn_cast<llvm::StructType>(type))
    type = structure->getNumElements() == 2 ? structure->getElementType(0) : type;
  return type->getScalarType();
}

// A complex argument: two floats, a vector of two, or a pointer to two.
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

// The program goes on with `value`; what was written about the native result stands behind the freeze.
void FunctionWalk::replace_but_for(llvm::CallBase& call, Value* native, Value* value) {
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
  replace_but_for(call, native, whole);
}

// The native call stays for what it found.
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
  replace_but_for(call, native, emitted.value);
}

} // namespace faultline::instrument
