#include "instrument/operations.h"

#include "instrument/composed_calls.h"
#include "instrument/libm_names.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Operator.h>

namespace faultline::instrument {

using llvm::Intrinsic::ID;
using numeric::Format;
using ops::Op;

namespace {

Op intrinsic(ID id) {
  switch (id) {
  case llvm::Intrinsic::fma:
  case llvm::Intrinsic::experimental_constrained_fma:
    return Op::fma;
  case llvm::Intrinsic::sqrt:
  case llvm::Intrinsic::experimental_constrained_sqrt:
    return Op::sqrt;
  case llvm::Intrinsic::fabs:
    return Op::fabs;
  case llvm::Intrinsic::minnum:
  case llvm::Intrinsic::minimum:
    return Op::fmin;
  case llvm::Intrinsic::maxnum:
  case llvm::Intrinsic::maximum:
    return Op::fmax;
  case llvm::Intrinsic::copysign:
    return Op::copysign;
  case llvm::Intrinsic::floor:
    return Op::floor;
  case llvm::Intrinsic::ceil:
    return Op::ceil;
  case llvm::Intrinsic::trunc:
    return Op::trunc;
  case llvm::Intrinsic::round:
    return Op::round;
  case llvm::Intrinsic::rint:
  case llvm::Intrinsic::nearbyint:
    return Op::rint;
  case llvm::Intrinsic::roundeven:
    return Op::roundeven;
  case llvm::Intrinsic::ldexp:
    return Op::ldexp;
  case llvm::Intrinsic::powi:
    return Op::powi;
  case llvm::Intrinsic::pow:
  case llvm::Intrinsic::experimental_constrained_pow:
    return Op::pow;
  case llvm::Intrinsic::exp:
  case llvm::Intrinsic::experimental_constrained_exp:
    return Op::exp;
  case llvm::Intrinsic::exp2:
    return Op::exp2;
  case llvm::Intrinsic::exp10:
    return Op::exp10;
  case llvm::Intrinsic::log:
  case llvm::Intrinsic::experimental_constrained_log:
    return Op::log;
  case llvm::Intrinsic::log2:
    return Op::log2;
  case llvm::Intrinsic::log10:
    return Op::log10;
  case llvm::Intrinsic::sin:
  case llvm::Intrinsic::experimental_constrained_sin:
    return Op::sin;
  case llvm::Intrinsic::cos:
  case llvm::Intrinsic::experimental_constrained_cos:
    return Op::cos;
  case llvm::Intrinsic::tan:
    return Op::tan;
  case llvm::Intrinsic::asin:
    return Op::asin;
  case llvm::Intrinsic::acos:
    return Op::acos;
  case llvm::Intrinsic::atan:
    return Op::atan;
  case llvm::Intrinsic::sinh:
    return Op::sinh;
  case llvm::Intrinsic::cosh:
    return Op::cosh;
  case llvm::Intrinsic::tanh:
    return Op::tanh;
  case llvm::Intrinsic::lrint:
  case llvm::Intrinsic::llrint:
    return Op::to_int_rint;
  case llvm::Intrinsic::lround:
  case llvm::Intrinsic::llround:
    return Op::to_int_round;
  case llvm::Intrinsic::fptosi_sat:
  case llvm::Intrinsic::fptoui_sat:
    return Op::to_int;
  case llvm::Intrinsic::experimental_constrained_fadd:
    return Op::fadd;
  case llvm::Intrinsic::experimental_constrained_fsub:
    return Op::fsub;
  case llvm::Intrinsic::experimental_constrained_fmul:
    return Op::fmul;
  case llvm::Intrinsic::experimental_constrained_fdiv:
    return Op::fdiv;
  default:
    return Op::none;
  }
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

// What may be added to round: a constant, or a choice between two (one for each sign of the other operand).
struct Shift {
  const llvm::ConstantFP* first = nullptr;
  const llvm::ConstantFP* second = nullptr;
  const llvm::Value* condition = nullptr; // null for one constant
};

std::optional<Shift> shift_of(const llvm::Value* value) {
  if (auto* constant = llvm::dyn_cast<llvm::ConstantFP>(value))
    return Shift{constant, constant, nullptr};
  auto* select = llvm::dyn_cast<llvm::SelectInst>(value);
  auto* first = select ? llvm::dyn_cast<llvm::ConstantFP>(select->getTrueValue()) : nullptr;
  auto* second = select ? llvm::dyn_cast<llvm::ConstantFP>(select->getFalseValue()) : nullptr;
  if (!first || !second)
    return std::nullopt;
  return Shift{first, second, select->getCondition()};
}

// A constant that rounds what is added to it: 1.5 * 2^k, or 2^k, whose unit in the last place is one, a little less (a
// multiple of a power of two is wanted) or a little more.
bool rounds(const llvm::ConstantFP& constant, Format format) {
  if (!constant.getValueAPF().isFiniteNonZero())
    return false;
  const llvm::APFloat magnitude = abs(constant.getValueAPF());
  const int exponent = ilogb(magnitude);
  const llvm::APFloat fraction = scalbn(magnitude, -exponent, llvm::APFloat::rmNearestTiesToEven);
  const int unit = exponent - (numeric::info(format).precision - 1); // log2 of the constant's ulp
  return (fraction.isExactlyValue(1.5) && unit >= -12 && unit <= 8) ||
         (fraction.isExactlyValue(1.0) && (unit == 0 || unit == 1));
}

bool undoes(const Shift& shift, const Shift& other, bool minus) {
  auto same = [minus](const llvm::ConstantFP& a, const llvm::ConstantFP& b) {
    llvm::APFloat value = b.getValueAPF();
    if (!minus)
      value.changeSign();
    return a.getValueAPF().bitwiseIsEqual(value);
  };
  return shift.condition == other.condition && same(*shift.first, *other.first) && same(*shift.second, *other.second);
}

// (x + C) whose sum is read back by subtracting C or by looking at its bits. x - C is x + (-C) by now (prepare).
bool is_rounding_add(const llvm::BinaryOperator& add, Format format) {
  for (unsigned side : {1u, 0u}) {
    std::optional<Shift> shift = shift_of(add.getOperand(side));
    if (!shift || !rounds(*shift->first, format) || !rounds(*shift->second, format) ||
        llvm::isa<llvm::Constant>(add.getOperand(1 - side)))
      continue;
    for (const llvm::User* user : add.users()) {
      if (llvm::isa<llvm::BitCastInst>(user) && user->getType()->isIntegerTy())
        return true;
      auto* back = llvm::dyn_cast<llvm::BinaryOperator>(user); // (x + C) - C, (x + C) + -C
      if (!back)
        continue;
      const bool minus = back->getOpcode() == llvm::Instruction::FSub && back->getOperand(0) == &add;
      const bool plus = back->getOpcode() == llvm::Instruction::FAdd;
      std::optional<Shift> other = shift_of(back->getOperand(back->getOperand(0) == &add ? 1 : 0));
      if ((minus || plus) && other && undoes(*shift, *other, minus))
        return true;
    }
  }
  return false;
}

std::optional<Operation> call_operation(llvm::CallBase& call) {
  Op op = Op::none;
  if (auto* called = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    op = intrinsic(called->getIntrinsicID());
    if (auto* compare = llvm::dyn_cast<llvm::ConstrainedFPCmpIntrinsic>(&call))
      op = comparison(compare->getPredicate());
  } else if (auto* function = call.getCalledFunction(); function && function->isDeclaration()) {
    op = operation_named(function->getName());
  }
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

} // namespace

std::optional<Format> format_of(const llvm::Type* type) {
  if (type->isFloatTy())
    return Format::binary32;
  if (type->isDoubleTy())
    return Format::binary64;
  if (type->isX86_FP80Ty())
    return Format::extended80;
  return std::nullopt;
}

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
    const bool rounds = is_rounding_add(llvm::cast<llvm::BinaryOperator>(instruction), *operand_format);
    auto* constant = llvm::dyn_cast<llvm::ConstantFP>(instruction.getOperand(1));
    if (!rounds && constant && constant->isNegative()) { // x - C as the optimiser writes it
      Operation operation = make(Op::fsub, *operand_format);
      operation.operands[1] = llvm::ConstantFP::get(constant->getContext(), llvm::neg(constant->getValueAPF()));
      return operation;
    }
    return make(rounds ? Op::round_add : Op::fadd, *operand_format);
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
