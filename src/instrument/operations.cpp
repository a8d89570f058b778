#include "instrument/operations.h"

#include "frontend/float_type.h"

#include "instrument/composed_calls.h"
#include "instrument/intrinsics.h"
#include "instrument/libm_names.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

namespace faultline::instrument {

using numeric::Format;
using ops::Op;

namespace {

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

std::optional<Operation> call_operation(llvm::CallBase& call) {
  Op op = Op::none;
  if (auto* called = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    op = operation_of_intrinsic(called->getIntrinsicID());
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
    if (constant && constant->isNegative()) { // x - C as the optimiser writes it
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
