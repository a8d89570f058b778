#include "frontend/fpcore_export/instructions.h"

#include "frontend/float_type.h"
#include "frontend/fpcore/operators.h"

#include <cmath>
#include <fmt/format.h>
#include <llvm/ADT/FloatingPointMode.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

namespace faultline::frontend::fpcore {

using numeric::Format;

namespace {

long double value_of(const llvm::ConstantFP& constant) {
  llvm::APFloat value = constant.getValueAPF();
  bool inexact = false;
  value.convert(llvm::APFloat::x87DoubleExtended(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  const llvm::APInt bits = value.bitcastToAPInt();
  const uint64_t words[2] = {bits.getRawData()[0], bits.getRawData()[1]};
  long double result = 0;
  __builtin_memcpy(&result, words, 10);
  return result;
}

} // namespace

Format format_of(const llvm::Type& type) {
  if (const std::optional<Format> format = frontend::format_of(type))
    return *format;
  if (type.isIntegerTy() && type.getIntegerBitWidth() > 1 && type.getIntegerBitWidth() <= 32)
    return Format::binary64;
  throw NotExportable{type.isIntegerTy()  ? "it computes with integers of more than 32 bits"
                      : type.isVectorTy() ? "it computes with vectors: compile it with -fno-vectorize"
                                          : "it has values that are not numbers"};
}

std::string library_name(const llvm::Function& function) {
  std::string name = function.getName().str();
  if (name.starts_with("llvm.")) {
    name = name.substr(5, name.find('.', 5) - 5);
    return name == "minnum" ? "fmin" : name == "maxnum" ? "fmax" : name == "rint" ? "nearbyint" : name;
  }
  if (find_operator(name))
    return name;
  const llvm::Type* type = function.getReturnType();
  if ((type->isFloatTy() && name.ends_with("f")) || (type->isX86_FP80Ty() && name.ends_with("l")))
    name.pop_back();
  return name == "rint" ? "nearbyint" : name;
}

const std::string& InstructionWriter::name_of(const llvm::Value& value) {
  std::string& name = names_[&value];
  if (name.empty())
    name = fmt::format("v{}", ++count_);
  return name;
}

// True if the value is used once, in its own block: nothing is then computed twice, or on another path.
bool InstructionWriter::is_inlined(const llvm::Value& value, const llvm::BasicBlock* block) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
  return instruction && !llvm::isa<llvm::PHINode>(instruction) && instruction->getParent() == block &&
         instruction->hasOneUse() && llvm::cast<llvm::Instruction>(*instruction->user_begin())->getParent() == block &&
         !llvm::isa<llvm::PHINode>(*instruction->user_begin());
}

Text InstructionWriter::use(const llvm::Value& value, Format context, const llvm::BasicBlock* block) {
  constexpr int deepest = 12; // nesting of an expression, for readability
  if (const auto* constant = llvm::dyn_cast<llvm::Constant>(&value))
    return number(*constant, context);
  if (block && is_inlined(value, block) && depth_ < deepest) {
    ++depth_;
    Text text = computed(*llvm::cast<llvm::Instruction>(&value), context);
    --depth_;
    return text;
  }
  return {name_of(value), {&value}};
}

Text InstructionWriter::number(const llvm::Constant& constant, Format context) {
  if (const auto* integer = llvm::dyn_cast<llvm::ConstantInt>(&constant)) {
    if (integer->getType()->isIntegerTy(1))
      return {integer->isZero() ? "FALSE" : "TRUE"};
    if (integer->getBitWidth() > 64)
      throw NotExportable{"it has integers of more than 64 bits"};
    const bool fits = context >= Format::binary64 ||
                      std::abs(integer->getSExtValue()) <= int64_t(1) << numeric::info(context).precision;
    return annotated({fmt::format("{}", integer->getSExtValue())}, fits ? context : Format::binary64, context);
  }
  if (llvm::isa<llvm::UndefValue>(constant)) // and poison: any number is valid
    return {constant.getType()->isIntegerTy(1) ? "FALSE" : "0"};
  const auto* floating = llvm::dyn_cast<llvm::ConstantFP>(&constant);
  if (!floating)
    throw NotExportable{"it uses addresses"};
  const Format format = format_of(*constant.getType());
  const long double value = value_of(*floating);
  if (std::isnan(value))
    return {"NAN"};
  if (std::isinf(value))
    return {value > 0 ? "INFINITY" : "(- INFINITY)"};
  const Format written = std::max(format, context);
  return annotated({decimal_text(value, written)}, written, context);
}

Text InstructionWriter::annotated(Text text, Format format, Format context) {
  return format == context ? text : Text{fmt::format("(! :precision {} ", precision_name(format))} + text + ")";
}

Text InstructionWriter::operand(const llvm::User& user, unsigned index, Format context) {
  const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&user);
  return use(*user.getOperand(index), context, instruction ? instruction->getParent() : nullptr);
}

Text InstructionWriter::operation(const std::string& name, Format format, Format context, const llvm::User& user,
                                  unsigned count) {
  Text text{"(" + name};
  for (unsigned i = 0; i < count; ++i)
    text += Text{" "} + operand(user, i, format);
  return annotated(text + ")", format, context);
}

Text InstructionWriter::computed(const llvm::Instruction& instruction, Format context) {
  if (const auto* op = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return binary(*op, context);
  if (instruction.getOpcode() == llvm::Instruction::FNeg)
    return operation("-", format_of(*instruction.getType()), context, instruction, 1);
  if (const auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction))
    return conversion(*cast, context);
  if (const auto* comparison = llvm::dyn_cast<llvm::FCmpInst>(&instruction))
    return compared(*comparison, context);
  if (const auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction))
    return compared(*comparison, context);
  if (llvm::isa<llvm::SelectInst>(instruction))
    return Text{"(if "} + operand(instruction, 0, context) + " " + operand(instruction, 1, context) + " " +
           operand(instruction, 2, context) + ")";
  if (llvm::isa<llvm::FreezeInst>(instruction))
    return operand(instruction, 0, context);
  if (const auto* call_of = llvm::dyn_cast<llvm::CallBase>(&instruction))
    return call(*call_of, context);
  if (llvm::isa<llvm::LoadInst>(instruction) || llvm::isa<llvm::StoreInst>(instruction) ||
      llvm::isa<llvm::AllocaInst>(instruction) || llvm::isa<llvm::GetElementPtrInst>(instruction))
    throw NotExportable{"it reads or writes memory: arrays, tables or variables of the program"};
  throw NotExportable{fmt::format("FPCore has no operation for LLVM's {}", instruction.getOpcodeName())};
}

Text InstructionWriter::binary(const llvm::BinaryOperator& op, Format context) {
  switch (op.getOpcode()) {
  case llvm::Instruction::FAdd:
    return operation("+", format_of(*op.getType()), context, op, 2);
  case llvm::Instruction::FSub:
    return operation("-", format_of(*op.getType()), context, op, 2);
  case llvm::Instruction::FMul:
    return operation("*", format_of(*op.getType()), context, op, 2);
  case llvm::Instruction::FDiv:
    return operation("/", format_of(*op.getType()), context, op, 2);
  case llvm::Instruction::FRem:
    return operation("fmod", format_of(*op.getType()), context, op, 2);
  default:
    return integer_operation(op, context);
  }
}

Text InstructionWriter::integer_operation(const llvm::BinaryOperator& op, Format context) {
  const llvm::Instruction::BinaryOps code = op.getOpcode();
  if (op.getType()->isIntegerTy(1)) {
    if (code == llvm::Instruction::And || code == llvm::Instruction::Or)
      return Text{code == llvm::Instruction::And ? "(and " : "(or "} + operand(op, 0, context) + " " +
             operand(op, 1, context) + ")";
    if (const auto* constant = llvm::dyn_cast<llvm::ConstantInt>(op.getOperand(1));
        code == llvm::Instruction::Xor && constant && constant->isOne())
      return Text{"(not "} + operand(op, 0, context) + ")";
  }
  const char* name = code == llvm::Instruction::Add   ? "+"
                     : code == llvm::Instruction::Sub ? "-"
                     : code == llvm::Instruction::Mul ? "*"
                                                      : nullptr;
  if (!name || op.getType()->isIntegerTy(1))
    throw NotExportable{fmt::format("FPCore has no operation for LLVM's {} of integers", op.getOpcodeName())};
  if (!op.hasNoSignedWrap())
    throw NotExportable{"it computes with integers that may wrap (unsigned ones)"};
  return operation(name, format_of(*op.getType()), context, op, 2);
}

Text InstructionWriter::conversion(const llvm::CastInst& cast, Format context) {
  const bool from_truth = cast.getSrcTy()->isIntegerTy(1);
  switch (cast.getOpcode()) {
  case llvm::Instruction::FPExt:
    return operand(cast, 0, context);
  case llvm::Instruction::SExt:
  case llvm::Instruction::ZExt:
  case llvm::Instruction::UIToFP:
  case llvm::Instruction::SIToFP:
    if (from_truth) {
      const bool is_negative =
          cast.getOpcode() == llvm::Instruction::SExt || cast.getOpcode() == llvm::Instruction::SIToFP;
      return Text{"(if "} + operand(cast, 0, context) + (is_negative ? " -1 0)" : " 1 0)");
    }
    (void)format_of(*cast.getSrcTy()); // at most 32 bits
    if (cast.getOpcode() == llvm::Instruction::SExt || cast.getOpcode() == llvm::Instruction::ZExt)
      (void)format_of(*cast.getDestTy());
    if ((cast.getOpcode() == llvm::Instruction::ZExt || cast.getOpcode() == llvm::Instruction::UIToFP) &&
        !cast.hasNonNeg())
      throw NotExportable{"it computes with unsigned integers"};
    if (const Format format = format_of(*cast.getDestTy()); format < Format::binary64)
      return operation("cast", format, context, cast, 1);
    return operand(cast, 0, context);
  case llvm::Instruction::FPTrunc:
    return annotated(Text{"(cast "} + operand(cast, 0, format_of(*cast.getDestTy())) + ")",
                     format_of(*cast.getDestTy()), context);
  case llvm::Instruction::FPToSI:
    (void)format_of(*cast.getDestTy());
    return operation("trunc", format_of(*cast.getSrcTy()), context, cast, 1);
  default:
    throw NotExportable{fmt::format("FPCore has no operation for LLVM's {}", cast.getOpcodeName())};
  }
}

namespace {

// FPCore's comparisons are false for NaNs, except !=, which is true: like LLVM's ordered ones and une.
struct Comparison {
  const char* sign;
  bool negated; // negates the opposite comparison
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

// Recognises a test of a float's sign through its bits.
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

// Compares with a constant that is not negative: negative values count as large.
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
    throw NotExportable{"it distinguishes kinds of NaNs, and FPCore has only one"};
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
    throw NotExportable{fmt::format("it calls {}, which is not an FPCore operation", function->getName().str())};
  return operation(name, format_of(*call.getType()), context, call, unsigned(call.arg_size()));
}

} // namespace faultline::frontend::fpcore
