#include "instrument/operations.h"

#include "frontend/float_type.h"
#include "instrument/written_out.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringRef.h>
#include <llvm/ADT/Twine.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>

namespace faultline::instrument {

using numeric::Format;
using ops::Op;

namespace {

// The names of functions that are operations: those of libm in its three formats, and those of Fortran's runtime
// library.

// The names in libm that differ from the names of operations.
constexpr std::pair<const char*, Op> other_names[] = {
    {"fma", Op::fma},
    {"drem", Op::remainder},
    {"remquo", Op::remainder}, // the quotient is not changed
    {"scalbn", Op::ldexp},
    {"scalbln", Op::ldexp},
    {"nearbyint", Op::rint},
    {"gamma", Op::lgamma},
    {"cabs", Op::hypot},
    {"pow10", Op::exp10},
    {"lrint", Op::to_int_rint},
    {"llrint", Op::to_int_rint},
    {"lround", Op::to_int_round},
    {"llround", Op::to_int_round},
    {"fmaximum_num", Op::fmax},
    {"fminimum_num", Op::fmin},
};

// True for operations that are not functions of C, or have another signature there.
bool has_another_form(Op op) {
  switch (op) {
  case Op::fneg:
  case Op::fpext:
  case Op::fptrunc:
  case Op::round_add:
  case Op::round_sub:
  case Op::round_fma:
  case Op::powi:
  case Op::frexp:
  case Op::modf:
  case Op::modulo:
  case Op::erfcx:
    return true;
  default:
    return ops::is_decision(op) || ops::is_complex_part(op);
  }
}

void add_fortran(llvm::StringMap<Op>& map) {
  constexpr std::pair<const char*, Op> names[] = {
      {"ModReal", Op::fmod}, {"ModuloReal", Op::modulo}, {"Scale", Op::ldexp}, {"ErfcScaled", Op::erfcx}};
  for (const char* kind : {"4", "8", "10"}) {
    for (auto [name, op] : names)
      map[("_FortranA" + llvm::Twine(name) + kind).str()] = op;
    for (const char* integer : {"i", "k"})
      map[(llvm::Twine("_FortranAFPow") + kind + integer).str()] = Op::powi;
  }
}

llvm::StringMap<Op> all_names() {
  llvm::StringMap<Op> map;
  auto add = [&map](llvm::StringRef name, Op op) {
    for (const char* format : {"", "f", "l"})
      map[(name + format).str()] = op;
  };
  for (int i = int(Op::sqrt); i < ops::operation_count; ++i)
    if (!has_another_form(Op(i)))
      add(llvm::StringRef(ops::name(Op(i))), Op(i));
  for (auto [name, op] : other_names)
    add(name, op);
  for (const char* format : {"", "f", "l"})
    map[(llvm::Twine("lgamma") + format + "_r").str()] = Op::lgamma; // the sign is not changed
  add_fortran(map);
  return map;
}

// Returns the operation that a function computes; `none` for all other names. Its arguments begin with the operands,
// except for jn and yn, which begin with the order.
Op operation_named(llvm::StringRef name) {
  static const llvm::StringMap<Op> names = all_names();
  return names.lookup(name);
}

// Returns the operation that an intrinsic computes, or Op::none. Constrained comparisons are not in this list: their
// predicate is an argument.
ops::Op operation_of_intrinsic(llvm::Intrinsic::ID id) {
  namespace I = llvm::Intrinsic;
  using ops::Op;
  static const llvm::DenseMap<unsigned, Op> operations = {
      {I::fma, Op::fma},
      {I::sqrt, Op::sqrt},
      {I::fabs, Op::fabs},
      {I::minnum, Op::fmin},
      {I::minimum, Op::fmin},
      {I::maxnum, Op::fmax},
      {I::maximum, Op::fmax},
      {I::copysign, Op::copysign},
      {I::floor, Op::floor},
      {I::ceil, Op::ceil},
      {I::trunc, Op::trunc},
      {I::round, Op::round},
      {I::rint, Op::rint},
      {I::nearbyint, Op::rint},
      {I::roundeven, Op::roundeven},
      {I::ldexp, Op::ldexp},
      {I::powi, Op::powi},
      {I::pow, Op::pow},
      {I::exp, Op::exp},
      {I::exp2, Op::exp2},
      {I::exp10, Op::exp10},
      {I::log, Op::log},
      {I::log2, Op::log2},
      {I::log10, Op::log10},
      {I::sin, Op::sin},
      {I::cos, Op::cos},
      {I::tan, Op::tan},
      {I::asin, Op::asin},
      {I::acos, Op::acos},
      {I::atan, Op::atan},
      {I::sinh, Op::sinh},
      {I::cosh, Op::cosh},
      {I::tanh, Op::tanh},
      {I::lrint, Op::to_int_rint},
      {I::llrint, Op::to_int_rint},
      {I::lround, Op::to_int_round},
      {I::llround, Op::to_int_round},
      {I::fptosi_sat, Op::to_int},
      {I::fptoui_sat, Op::to_int},
  };
  const auto found = operations.find(id);
  return found == operations.end() ? Op::none : found->second;
}

Op comparison(llvm::CmpInst::Predicate predicate) {
  using P = llvm::CmpInst;
  switch (predicate) {
  case P::FCMP_OEQ:
    return Op::cmp_oeq;
  case P::FCMP_OGT:
    return Op::cmp_ogt;
  case P::FCMP_OGE:
    return Op::cmp_oge;
  case P::FCMP_OLT:
    return Op::cmp_olt;
  case P::FCMP_OLE:
    return Op::cmp_ole;
  case P::FCMP_ONE:
    return Op::cmp_one;
  case P::FCMP_ORD:
    return Op::cmp_ord;
  case P::FCMP_UEQ:
    return Op::cmp_ueq;
  case P::FCMP_UGT:
    return Op::cmp_ugt;
  case P::FCMP_UGE:
    return Op::cmp_uge;
  case P::FCMP_ULT:
    return Op::cmp_ult;
  case P::FCMP_ULE:
    return Op::cmp_ule;
  case P::FCMP_UNE:
    return Op::cmp_une;
  case P::FCMP_UNO:
    return Op::cmp_uno;
  default:
    return Op::none;
  }
}

// The call as this operation, if its arguments and its result fit.
std::optional<Operation> call_of(Op op, llvm::CallBase& call) {
  if (op == Op::none)
    return std::nullopt;
  const auto arity = unsigned(ops::arity(op));
  if (call.arg_size() < arity)
    return std::nullopt;
  const bool order_first = op == Op::jn || op == Op::yn;
  auto operand_format = format_of(call.getArgOperand(order_first ? 1 : 0)->getType());
  if (!operand_format)
    return std::nullopt;
  const bool scalar_result = ops::is_to_int(op) || ops::is_comparison(op) ? call.getType()->isIntegerTy()
                                                                          : format_of(call.getType()) == operand_format;
  if (!scalar_result)
    return std::nullopt;
  Operation operation{op, *operand_format, *operand_format, true, {}};
  operation.is_signed = llvm::cast<llvm::CallBase>(call).getIntrinsicID() != llvm::Intrinsic::fptoui_sat;
  for (unsigned i = 0; i < arity; ++i) {
    llvm::Value* operand = call.getArgOperand(order_first ? 1 - i : i);
    const bool integer = i == 1 && ops::has_integer_operand(op);
    if (integer ? !operand->getType()->isIntegerTy() : format_of(operand->getType()) != operand_format)
      return std::nullopt;
    operation.operands.push_back(operand);
  }
  return operation;
}

std::optional<Operation> call_operation(llvm::CallBase& call) {
  Op op = Op::none;
  if (auto* called = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    op = operation_of_intrinsic(called->getIntrinsicID());
    if (auto* compare = llvm::dyn_cast<llvm::ConstrainedFPCmpIntrinsic>(&call))
      op = comparison(compare->getPredicate());
  } else if (auto* function = call.getCalledFunction(); function && function->isDeclaration()) {
    op = operation_named(function->getName());
  }
  return call_of(op, call);
}

} // namespace

std::optional<Operation> specified_operation(llvm::CallBase& call) {
  auto* function = call.getCalledFunction();
  if (!function || function->isDeclaration())
    return std::nullopt;
  llvm::StringRef name = function->getName();
  name.consume_front("__ieee754_");
  const Op op = operation_named(name);
  switch (op) {
  case Op::floor:
  case Op::ceil:
  case Op::trunc:
  case Op::round:
  case Op::roundeven:
  case Op::rint:
  case Op::fabs:
  case Op::copysign:
  case Op::fmin:
  case Op::fmax:
  case Op::ldexp:
  case Op::fmod:
  case Op::remainder:
  case Op::sqrt:
  case Op::fma:
    return call_of(op, call);
  default:
    return std::nullopt;
  }
}

std::optional<Format> format_of(const llvm::Type* type) { return frontend::format_of(*type); }

std::optional<Operation> operation_of(llvm::Instruction& instruction) {
  if (auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return call_operation(*call);
  if (instruction.getNumOperands() == 0)
    return std::nullopt;
  auto operand_format = format_of(instruction.getOperand(0)->getType());
  if (!operand_format)
    return std::nullopt;
  auto make = [&](Op op, Format format) {
    Operation operation{op, format, *operand_format, true, {}};
    for (int i = 0; i < ops::arity(op); ++i)
      operation.operands.push_back(instruction.getOperand(i));
    return operation;
  };
  switch (instruction.getOpcode()) {
  case llvm::Instruction::FAdd: {
    auto* constant = llvm::dyn_cast<llvm::ConstantFP>(instruction.getOperand(1));
    if (constant && constant->isNegative()) { // x - C in the optimiser's form
      Operation operation = make(Op::fsub, *operand_format);
      operation.operands[1] = llvm::ConstantFP::get(constant->getContext(), llvm::neg(constant->getValueAPF()));
      return operation;
    }
    return make(Op::fadd, *operand_format);
  }
  case llvm::Instruction::FSub:
    return make(Op::fsub, *operand_format);
  case llvm::Instruction::FMul:
    return make(Op::fmul, *operand_format);
  case llvm::Instruction::FDiv:
    return make(Op::fdiv, *operand_format);
  case llvm::Instruction::FRem:
    return make(Op::fmod, *operand_format);
  case llvm::Instruction::FNeg:
    return make(Op::fneg, *operand_format);
  case llvm::Instruction::FPExt:
  case llvm::Instruction::FPTrunc: {
    auto format = format_of(instruction.getType());
    if (!format)
      return std::nullopt;
    return make(instruction.getOpcode() == llvm::Instruction::FPExt ? Op::fpext : Op::fptrunc, *format);
  }
  case llvm::Instruction::FPToSI:
    return make(Op::to_int, *operand_format);
  case llvm::Instruction::FPToUI: {
    Operation operation = make(Op::to_int, *operand_format);
    operation.is_signed = false;
    return operation;
  }
  case llvm::Instruction::FCmp: {
    const Op op = comparison(llvm::cast<llvm::FCmpInst>(instruction).getPredicate());
    return op == Op::none ? std::nullopt
                          : std::optional(make(op, *operand_format)); // always true or false: no comparison
  }
  default:
    return std::nullopt;
  }
}

TwoResults two_results(const llvm::CallBase& call) {
  auto* function = call.getCalledFunction();
  if (!function || !function->isDeclaration())
    return TwoResults::none;
  llvm::StringRef name = function->getName();
  if (call.arg_size() == 2 && (name == "frexp" || name == "frexpf" || name == "frexpl"))
    return TwoResults::frexp;
  if (call.arg_size() == 2 && (name == "modf" || name == "modff" || name == "modfl"))
    return TwoResults::modf;
  if (call.arg_size() == 3 && (name == "sincos" || name == "sincosf" || name == "sincosl"))
    return TwoResults::sincos;
  return TwoResults::none;
}

bool is_math_function(const llvm::Function& function) {
  return function.isDeclaration() && operation_named(function.getName()) != Op::none;
}

bool is_math_call(const llvm::CallBase& call) {
  if (llvm::isa<llvm::IntrinsicInst>(call))
    return true;
  auto* function = call.getCalledFunction();
  return function &&
         (is_math_function(*function) || two_results(call) != TwoResults::none || composed(call) != Composed::none);
}

} // namespace faultline::instrument
