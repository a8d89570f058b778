#include "instrument/operations.h"

#include "instrument/written_out.h"
#include "program/float_type.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLExtras.h>
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
  constexpr Op others[] = {Op::fneg, Op::fpext, Op::fptrunc, Op::round_add, Op::round_sub, Op::round_fma,
                           Op::powi, Op::frexp, Op::modf,    Op::modulo,    Op::erfcx};
  return llvm::is_contained(others, op) || ops::is_decision(op) || ops::is_complex_part(op);
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

// Returns the operation that an intrinsic computes, or Op::none. Most have the name of a function of libm. Constrained
// comparisons are not known here: their predicate is an argument.
Op operation_of_intrinsic(llvm::Intrinsic::ID id) {
  namespace I = llvm::Intrinsic;
  static const llvm::DenseMap<unsigned, Op> other_names = {
      {I::minnum, Op::fmin}, {I::minimum, Op::fmin},      {I::maxnum, Op::fmax},       {I::maximum, Op::fmax},
      {I::powi, Op::powi},   {I::fptosi_sat, Op::to_int}, {I::fptoui_sat, Op::to_int},
  };
  const auto found = other_names.find(id);
  return found != other_names.end() ? found->second : operation_named(I::getBaseName(id).drop_front(strlen("llvm.")));
}

// Returns `none` for the predicates that are always true or false.
Op comparison(llvm::CmpInst::Predicate predicate) {
  using P = llvm::CmpInst;
  namespace trait = ops::trait;
  ops::Traits orders = 0; // LLVM's predicates are sets of orders, too
  for (const auto& [bit, order] : {std::pair(P::FCMP_OEQ, trait::equal), std::pair(P::FCMP_OGT, trait::greater),
                                   std::pair(P::FCMP_OLT, trait::less), std::pair(P::FCMP_UNO, trait::unordered)})
    if (predicate & bit)
      orders |= order;
  return ops::comparison_for(orders);
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
  constexpr Op specified[] = {Op::floor, Op::ceil, Op::trunc,     Op::round, Op::roundeven,
                              Op::rint,  Op::fabs, Op::copysign,  Op::fmin,  Op::fmax,
                              Op::ldexp, Op::fmod, Op::remainder, Op::sqrt,  Op::fma};
  const Op op = operation_named(name);
  return llvm::is_contained(specified, op) ? call_of(op, call) : std::nullopt;
}

std::optional<Format> format_of(const llvm::Type* type) { return program::format_of(*type); }

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

bool is_passed_on(const llvm::Instruction& instruction) {
  const unsigned code = instruction.getOpcode();
  if (code != llvm::Instruction::FMul && code != llvm::Instruction::FDiv)
    return false;
  llvm::SmallVector<const llvm::Instruction*, 4> open{&instruction};
  while (!open.empty()) {
    const llvm::Instruction& value = *open.pop_back_val();
    for (const llvm::User* user : value.users()) {
      if (llvm::isa<llvm::FPTruncInst>(user) || llvm::isa<llvm::FPExtInst>(user) ||
          llvm::isa<llvm::InsertValueInst>(user) || llvm::isa<llvm::UnaryOperator>(user)) {
        open.push_back(llvm::cast<llvm::Instruction>(user));
        continue;
      }
      const bool is_own = llvm::is_contained(instruction.operands(), user); // the next turn of a loop
      if (is_own || !(llvm::isa<llvm::ReturnInst>(user) || llvm::isa<llvm::PHINode>(user) ||
                      llvm::isa<llvm::SelectInst>(user) || llvm::isa<llvm::StoreInst>(user)))
        return false;
    }
  }
  return true;
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
