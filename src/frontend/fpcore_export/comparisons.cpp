// What decides, and what is called.
#include "frontend/fpcore/operators.h"
#include "frontend/fpcore_export/instructions.h"

#include <fmt/format.h>
#include <llvm/ADT/FloatingPointMode.h>
#include <llvm/IR/IntrinsicInst.h>

namespace faultline::frontend::fpcore {

using numeric::Format;

namespace {

// FPCore's comparisons are false of NaNs, but for !=, which is true: LLVM's ordered ones, and une.
struct Comparison {
  const char* sign;
  bool negated; // of the opposite
};

Comparison comparison_of(llvm::CmpInst::Predicate predicate) {
  using P = llvm::CmpInst;
  switch (predicate) {
  case P::FCMP_OEQ:
    return {"==", false};
  case P::FCMP_OLT:
    return {"<", false};
  case P::FCMP_OLE:
    return {"<=", false};
  case P::FCMP_OGT:
    return {">", false};
  case P::FCMP_OGE:
    return {">=", false};
  case P::FCMP_UNE:
    return {"!=", false};
  case P::FCMP_UGE:
    return {"<", true};
  case P::FCMP_UGT:
    return {"<=", true};
  case P::FCMP_ULE:
    return {">", true};
  case P::FCMP_ULT:
    return {">=", true};
  default:
    return {nullptr, false};
  }
}

const char* signed_sign(llvm::CmpInst::Predicate predicate) {
  using P = llvm::CmpInst;
  switch (predicate) {
  case P::ICMP_EQ:
    return "==";
  case P::ICMP_NE:
    return "!=";
  case P::ICMP_SLT:
    return "<";
  case P::ICMP_SLE:
    return "<=";
  case P::ICMP_SGT:
    return ">";
  case P::ICMP_SGE:
    return ">=";
  default:
    return nullptr;
  }
}

} // namespace

Text InstructionWriter::compared(const llvm::FCmpInst& comparison, Format context) {
  const Format widest = std::max(context, format_of(*comparison.getOperand(0)->getType()));
  const Text a = operand(comparison, 0, widest), b = operand(comparison, 1, widest);
  const auto whole = [&](Text text) { return annotated(std::move(text), widest, context); };
  const auto both = [&](const char* sign) { return Text{fmt::format("({} ", sign)} + a + " " + b + ")"; };
  if (const Comparison found = comparison_of(comparison.getPredicate()); found.sign)
    return whole(found.negated ? Text{"(not "} + both(found.sign) + ")" : both(found.sign));
  switch (comparison.getPredicate()) {
  case llvm::CmpInst::FCMP_ONE:
    return whole(Text{"(or "} + both("<") + " " + both(">") + ")");
  case llvm::CmpInst::FCMP_UEQ:
    return whole(Text{"(not (or "} + both("<") + " " + both(">") + "))");
  case llvm::CmpInst::FCMP_UNO:
    return whole(Text{"(or (isnan "} + a + ") (isnan " + b + "))");
  case llvm::CmpInst::FCMP_ORD:
    return whole(Text{"(not (or (isnan "} + a + ") (isnan " + b + ")))");
  default:
    return {comparison.getPredicate() == llvm::CmpInst::FCMP_TRUE ? "TRUE" : "FALSE"};
  }
}

// The sign of a float is read through its bits.
Text InstructionWriter::compared(const llvm::ICmpInst& comparison, Format context) {
  const auto* bits = llvm::dyn_cast<llvm::BitCastInst>(comparison.getOperand(0));
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(comparison.getOperand(1));
      bits && bits->getSrcTy()->isFloatingPointTy() && constant) {
    const Text sign = Text{"(signbit "} + use(*bits->getOperand(0), context, nullptr) + ")";
    if (comparison.getPredicate() == llvm::CmpInst::ICMP_SLT && constant->isZero())
      return sign;
    if (comparison.getPredicate() == llvm::CmpInst::ICMP_SGT && constant->isMinusOne())
      return Text{"(not "} + sign + ")";
  }
  if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(comparison.getOperand(1));
      comparison.isUnsigned() && constant && !constant->isNegative())
    return compared_unsigned(comparison, context);
  const llvm::Type& type = *comparison.getOperand(0)->getType();
  const char* sign = signed_sign(comparison.getPredicate());
  if (!sign || type.isPointerTy())
    throw NotExportable{"it compares unsigned integers, or addresses"};
  const Text a = operand(comparison, 0, context), b = operand(comparison, 1, context);
  if (type.isIntegerTy(1)) {
    const bool equal = comparison.getPredicate() == llvm::CmpInst::ICMP_EQ;
    if (!comparison.isEquality())
      throw NotExportable{"it compares truth values by size"};
    return Text{"(if "} + a + (equal ? " " : " (not ") + b + (equal ? " (not " : ") ") + b + (equal ? "))" : ")");
  }
  (void)format_of(type);
  return Text{fmt::format("({} ", sign)} + a + " " + b + ")";
}

// With a constant that is not negative: what is negative counts as large.
Text InstructionWriter::compared_unsigned(const llvm::ICmpInst& comparison, Format context) {
  (void)format_of(*comparison.getOperand(0)->getType());
  const Text a = operand(comparison, 0, context), b = operand(comparison, 1, context);
  const bool is_below = comparison.isLT(comparison.getPredicate()) || comparison.isLE(comparison.getPredicate());
  const char* sign = signed_sign(comparison.getSignedPredicate());
  return Text{is_below ? "(and (>= " : "(or (< "} + a + fmt::format(" 0) ({} ", sign).c_str() + a + " " + b + "))";
}

Text InstructionWriter::class_test(const llvm::CallBase& call, Format context) {
  struct Class {
    unsigned negative, positive;
    const char* test; // of $
  };
  constexpr Class classes[] = {
      {llvm::fcNegInf, llvm::fcPosInf, "(isinf $)"},
      {llvm::fcNegNormal, llvm::fcPosNormal, "(isnormal $)"},
      {llvm::fcNegSubnormal, llvm::fcPosSubnormal, "(and (isfinite $) (not (isnormal $)) (!= $ 0))"},
      {llvm::fcNegZero, llvm::fcPosZero, "(== $ 0)"}};
  const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(call.getArgOperand(1));
  const unsigned tests = mask ? unsigned(mask->getZExtValue()) : 0;
  const unsigned nan = tests & llvm::fcNan;
  if (!mask || (nan != 0 && nan != llvm::fcNan))
    throw NotExportable{"it tests for kinds of NaNs, of which FPCore has one"};
  const Text value = use(*call.getArgOperand(0), context, nullptr);
  std::string text = nan ? "(or (isnan $)" : "(or";
  for (const Class& one : classes) {
    const bool negative = tests & one.negative, positive = tests & one.positive;
    if (negative && positive)
      text += fmt::format(" {}", one.test);
    else if (negative || positive)
      text += fmt::format(" (and {} {})", one.test, negative ? "(signbit $)" : "(not (signbit $))");
  }
  Text whole{"", value.uses};
  for (const char c : text + ")")
    whole.text += c == '$' ? value.text : std::string(1, c);
  return whole;
}

Text InstructionWriter::call(const llvm::CallBase& call, Format context) {
  const llvm::Function* function = call.getCalledFunction();
  if (!function)
    throw NotExportable{"it calls through a pointer"};
  if (call.getIntrinsicID() == llvm::Intrinsic::is_fpclass)
    return class_test(call, context);
  const std::string name = library_name(*function);
  const Operator* found = find_operator(name);
  if (!found || found->kind != OperatorKind::function || int(call.arg_size()) != found->least)
    throw NotExportable{fmt::format("it calls {}, which is no operation of FPCore", function->getName().str())};
  return operation(name, format_of(*call.getType()), context, call, unsigned(call.arg_size()));
}

} // namespace faultline::frontend::fpcore
