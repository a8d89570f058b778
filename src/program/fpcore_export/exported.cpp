#include "program/fpcore_export/exported.h"

#include "base/error.h"
#include "numeric/format.h"
#include "program/float_type.h"
#include "program/fpcore/core.h"
#include "program/fpcore/operators.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <llvm/ADT/FloatingPointMode.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Value.h>
#include <llvm/Passes/PassBuilder.h>
#include <memory>
#include <set>

namespace faultline::program::fpcore {

namespace {

// Translates LLVM's instructions to FPCore's operations, one by one.
//
// Integers become numbers of binary64, which is exact for those of at most 32 bits that do not wrap.
// FPCore text, and the values that it refers to.
struct Text {
  std::string text;
  std::set<const llvm::Value*> uses = {}; // values that it refers to by name
  int depth = 0;                          // of parentheses

  Text& operator+=(const Text& other) {
    text += other.text;
    uses.insert(other.uses.begin(), other.uses.end());
    depth = std::max(depth, other.depth);
    return *this;
  }
};

inline Text operator+(Text a, const Text& b) { return a += b; }
inline Text operator+(Text a, const char* b) { return a += Text{b}; }

// The reason why a function cannot be written as FPCore.
struct NotExportable {
  std::string reason;
};

numeric::Format format_of(const llvm::Type& type); // throws NotExportable
// Returns the C name of an intrinsic, or of a library function without its type suffix.
std::string library_name(const llvm::Function& function);

using numeric::Format;

numeric::Value value_of(const llvm::ConstantFP& constant) {
  llvm::APFloat value = constant.getValueAPF();
  bool inexact = false;
  value.convert(llvm::APFloat::x87DoubleExtended(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  const llvm::APInt bits = value.bitcastToAPInt();
  const uint64_t words[2] = {bits.getRawData()[0], bits.getRawData()[1]};
  numeric::Value result = 0;
  __builtin_memcpy(&result, words, 10);
  return result;
}

Format format_of(const llvm::Type& type) {
  if (const std::optional<Format> format = program::format_of(type))
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

// Returns FPCore's sign of a comparison. Its comparisons are false for NaNs, except !=, which is true: like LLVM's
// ordered ones and une. None for all others.
const char* sign_of(llvm::CmpInst::Predicate predicate) {
  using P = llvm::CmpInst;
  static constexpr std::pair<P::Predicate, const char*> signs[] = {
      {P::FCMP_OEQ, "=="}, {P::FCMP_OLT, "<"},  {P::FCMP_OLE, "<="}, {P::FCMP_OGT, ">"},
      {P::FCMP_OGE, ">="}, {P::FCMP_UNE, "!="}, {P::ICMP_EQ, "=="},  {P::ICMP_NE, "!="},
      {P::ICMP_SLT, "<"},  {P::ICMP_SLE, "<="}, {P::ICMP_SGT, ">"},  {P::ICMP_SGE, ">="}};
  const auto found = std::ranges::find(signs, predicate, &std::pair<P::Predicate, const char*>::first);
  return found == std::end(signs) ? nullptr : found->second;
}

class InstructionWriter {
public:
  explicit InstructionWriter(numeric::Format core) : core_(core) {}

  void name(const llvm::Value& value, const std::string& text) { names_[&value] = text; }

  // Returns a generated name for a value: v1, v2, ...
  const std::string& name_of(const llvm::Value& value) {
    std::string& name = names_[&value];
    if (name.empty())
      name = fmt::format("v{}", ++count_);
    return name;
  }

  // Returns a value at its use: its name, a number, or, if this is the only use, its expression. `context` is the
  // precision at this place.
  Text use(const llvm::Value& value, Format context, const llvm::BasicBlock* block) {
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

  // Returns the expression of an instruction; throws NotExportable.
  Text computed(const llvm::Instruction& instruction, Format context) {
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

  numeric::Format core() const { return core_; }

  // True if the value is used once, in its own block: nothing is then computed twice, or on another path.
  static bool is_inlined(const llvm::Value& value, const llvm::BasicBlock* block) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&value);
    return instruction && !llvm::isa<llvm::PHINode>(instruction) && instruction->getParent() == block &&
           instruction->hasOneUse() &&
           llvm::cast<llvm::Instruction>(*instruction->user_begin())->getParent() == block &&
           !llvm::isa<llvm::PHINode>(*instruction->user_begin());
  }

private:
  using Format = numeric::Format;

  Text number(const llvm::Constant& constant, Format context) {
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
    const numeric::Value value = value_of(*floating);
    if (std::isnan(value))
      return {"NAN"};
    if (std::isinf(value))
      return {value > 0 ? "INFINITY" : "(- INFINITY)"};
    const Format written = std::max(format, context);
    return annotated({decimal_text(value, written)}, written, context);
  }

  Text operation(const std::string& name, Format format, Format context, const llvm::User& user, unsigned count) {
    Text text{"(" + name};
    for (unsigned i = 0; i < count; ++i)
      text += Text{" "} + operand(user, i, format);
    return annotated(text + ")", format, context);
  }

  Text binary(const llvm::BinaryOperator& op, Format context) {
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

  Text integer_operation(const llvm::BinaryOperator& op, Format context) {
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

  Text conversion(const llvm::CastInst& cast, Format context) {
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

  Text compared(const llvm::FCmpInst& comparison, Format context) {
    const Format widest = std::max(context, format_of(*comparison.getOperand(0)->getType()));
    const Text a = operand(comparison, 0, widest), b = operand(comparison, 1, widest);
    const auto whole = [&](Text text) { return annotated(std::move(text), widest, context); };
    const auto both = [&](const char* sign) { return Text{fmt::format("({} ", sign)} + a + " " + b + ")"; };
    if (const char* sign = sign_of(comparison.getPredicate()))
      return whole(both(sign));
    if (const char* opposite = sign_of(comparison.getInversePredicate()))
      return whole(Text{"(not "} + both(opposite) + ")");
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
  Text compared(const llvm::ICmpInst& comparison, Format context) {
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
    const char* sign = sign_of(comparison.getPredicate());
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
  Text compared_unsigned(const llvm::ICmpInst& comparison, Format context) {
    (void)format_of(*comparison.getOperand(0)->getType());
    const Text a = operand(comparison, 0, context), b = operand(comparison, 1, context);
    const bool is_below = comparison.isLT(comparison.getPredicate()) || comparison.isLE(comparison.getPredicate());
    const char* sign = sign_of(comparison.getSignedPredicate());
    return Text{is_below ? "(and (>= " : "(or (< "} + a + fmt::format(" 0) ({} ", sign).c_str() + a + " " + b + "))";
  }

  Text call(const llvm::CallBase& call, Format context) {
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

  Text class_test(const llvm::CallBase& call, Format context) {
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

  Text annotated(Text text, Format format, Format context) {
    return format == context ? text : Text{fmt::format("(! :precision {} ", precision_name(format))} + text + ")";
  }

  Text operand(const llvm::User& user, unsigned index, Format context) {
    const auto* instruction = llvm::dyn_cast<llvm::Instruction>(&user);
    return use(*user.getOperand(index), context, instruction ? instruction->getParent() : nullptr);
  }

  Format core_;
  std::map<const llvm::Value*, std::string> names_;
  int count_ = 0;
  int depth_ = 0; // of values written at their use
};

constexpr size_t longest = largest_file / 2; // larger output could not be read back
constexpr int deepest = deepest_form / 4;    // nested blocks, each with a few parentheses
constexpr const char* any_value = "0";       // for unused values

bool is_left_out(const llvm::Instruction& instruction) {
  return instruction.isTerminator() || llvm::isa<llvm::PHINode>(instruction) ||
         llvm::isa<llvm::DbgInfoIntrinsic>(instruction) || instruction.isLifetimeStartOrEnd();
}

// Writes a function's blocks as one expression: branches become if, loops while.
//
// FPCore has no statements, so let* binds the values of a block around the expression that follows. Where branches meet
// again, each value that depends on the path (a phi) is an if of its own, bound before the code that follows, which is
// written once. A loop must be left at its head, in one place: its phis are the variables of a while.
class ControlWriter {
public:
  ControlWriter(llvm::Function& function, InstructionWriter& instructions)
      : function_(function), instructions_(instructions), dominators_(function), postdominators_(function),
        loops_(dominators_) {
    for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
      order_.emplace(block, int(order_.size()));
  }

  // Returns the value of the function. Throws NotExportable.
  Text write() {
    for (const llvm::BasicBlock& block : function_)
      for (const llvm::Instruction& instruction : block) {
        const bool has_effect = instruction.mayHaveSideEffects() && !llvm::isa<llvm::CallBase>(instruction);
        const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        const bool is_void = call && call->getType()->isVoidTy() && !is_left_out(instruction);
        if (order_.contains(&block) && ((has_effect && !instruction.isTerminator()) || is_void))
          (void)instructions_.computed(instruction, instructions_.core()); // throws the reason
      }
    return block(function_.getEntryBlock(), {});
  }

private:
  // The end of an expression: the value of `phi` at the entry of its block, or, without a phi, the return of the
  // function. An expression also ends, with any value, at blocks of other phis.
  struct Goal {
    const llvm::PHINode* phi = nullptr;
    std::set<const llvm::BasicBlock*> ends = {};
  };
  // The part of a loop's head that stays inside of the loop, and the part that leaves it.
  enum class Part { whole, inside, outside };

  Text edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to, const Goal& goal) {
    if (goal.phi && goal.phi->getParent() == &to)
      return instructions_.use(*goal.phi->getIncomingValueForBlock(&from), instructions_.core(), nullptr);
    if (goal.ends.contains(&to))
      return {any_value};
    if (loops_.isLoopHeader(&to))
      return loop(*loops_.getLoopFor(&to), from, goal);
    return block(to, goal);
  }

  Text block(const llvm::BasicBlock& block, const Goal& goal, Part part = Part::whole) {
    if (++depth_ > deepest)
      throw NotExportable{"its branches are too deep for one expression"};
    Text text = bound(block, continuation(block, goal, part));
    --depth_;
    return text;
  }

  Text continuation(const llvm::BasicBlock& block, const Goal& goal, Part part) {
    const llvm::BasicBlock* all = meeting_of_all(block, goal, part);
    Text text = all ? this->block(*all, goal) : branched(block, goal, part);
    const std::vector<const llvm::BasicBlock*> met = meetings(block, part);
    for (size_t i = met.size(); i-- > 0;) {
      if (goal.ends.contains(met[i]))
        continue;
      for (const llvm::PHINode& phi : met[i]->phis()) {
        if (text.uses.erase(&phi) == 0)
          continue;
        Goal inner{&phi, goal.ends};
        inner.ends.insert(met[i]);
        const Text value = branched(block, inner, part);
        text.uses.insert(value.uses.begin(), value.uses.end());
        if (text.text == instructions_.name_of(phi))
          text.text = value.text;
        else
          text.text = fmt::format("(let* ([{} {}])\n{})", instructions_.name_of(phi), value.text, text.text);
      }
    }
    return checked(text);
  }

  Text branched(const llvm::BasicBlock& block, const Goal& goal, Part part) {
    const llvm::Instruction& last = *block.getTerminator();
    const llvm::Loop* loop = part == Part::whole ? nullptr : loops_.getLoopFor(&block);
    if (loop) { // the loop's head: one of the two ways
      for (const llvm::BasicBlock* next : llvm::successors(&block))
        if (loop->contains(next) == (part == Part::inside))
          return edge(block, *next, goal);
    }
    if (const auto* end = llvm::dyn_cast<llvm::ReturnInst>(&last))
      return goal.phi ? Text{any_value} : instructions_.use(*end->getReturnValue(), instructions_.core(), &block);
    if (llvm::isa<llvm::UnreachableInst>(last))
      return {any_value};
    if (const auto* branch = llvm::dyn_cast<llvm::BranchInst>(&last)) {
      if (branch->isUnconditional())
        return edge(block, *branch->getSuccessor(0), goal);
      return Text{"(if "} + instructions_.use(*branch->getCondition(), instructions_.core(), &block) + "\n" +
             edge(block, *branch->getSuccessor(0), goal) + "\n" + edge(block, *branch->getSuccessor(1), goal) + ")";
    }
    const auto* chosen = llvm::dyn_cast<llvm::SwitchInst>(&last);
    if (!chosen)
      throw NotExportable{fmt::format("FPCore has nothing for LLVM's {}", last.getOpcodeName())};
    (void)format_of(*chosen->getCondition()->getType());
    Text text = edge(block, *chosen->getDefaultDest(), goal);
    for (const auto& one : chosen->cases())
      text = Text{"(if (== "} + instructions_.use(*chosen->getCondition(), instructions_.core(), nullptr) +
             fmt::format(" {})\n", one.getCaseValue()->getSExtValue()).c_str() +
             edge(block, *one.getCaseSuccessor(), goal) + "\n" + text + ")";
    return text;
  }

  Text loop(const llvm::Loop& loop, const llvm::BasicBlock& before, const Goal& goal) {
    check(loop);
    const llvm::BasicBlock& head = *loop.getHeader();
    Text variables;
    for (const llvm::PHINode& phi : head.phis()) {
      Goal again{&phi, goal.ends};
      again.ends.insert(&head);
      variables += Text{fmt::format("{}[{} ", variables.text.empty() ? "" : "\n", instructions_.name_of(phi))} +
                   instructions_.use(*phi.getIncomingValueForBlock(&before), instructions_.core(), nullptr) + "\n" +
                   block(head, again, Part::inside) + "]";
    }
    Text text =
        Text{"(while "} + condition_of(loop) + "\n(" + variables + ")\n" + block(head, goal, Part::outside) + ")";
    for (const llvm::PHINode& phi : head.phis())
      text.uses.erase(&phi);
    return checked(text);
  }

  Text condition_of(const llvm::Loop& loop) {
    const auto* branch = llvm::cast<llvm::BranchInst>(loop.getHeader()->getTerminator());
    const bool goes_on = loop.contains(branch->getSuccessor(0));
    Text text = instructions_.use(*branch->getCondition(), instructions_.core(), loop.getHeader());
    return bound(*loop.getHeader(), goes_on ? text : Text{"(not "} + text + ")");
  }

  // Binds the block's used values in their order with let*.
  Text bound(const llvm::BasicBlock& block, Text inner) {
    std::vector<Text> bindings;
    for (const llvm::Instruction& instruction : llvm::reverse(block))
      if (!is_left_out(instruction) && inner.uses.erase(&instruction) > 0) {
        const Text value = instructions_.computed(instruction, instructions_.core());
        inner.uses.insert(value.uses.begin(), value.uses.end());
        if (inner.text == instructions_.name_of(instruction)) { // only this value is needed
          inner.text = value.text;
          continue;
        }
        bindings.push_back(Text{fmt::format("[{} ", instructions_.name_of(instruction))} + value + "]");
      }
    if (bindings.empty())
      return inner;
    std::string text = "(let* (";
    for (size_t i = bindings.size(); i-- > 0;)
      text += bindings[i].text + (i > 0 ? "\n" : ")\n");
    inner.text = text + inner.text + ")";
    return checked(inner);
  }

  // Returns the blocks where paths meet whose last common block is this one.
  std::vector<const llvm::BasicBlock*> meetings(const llvm::BasicBlock& block, Part part) const {
    std::vector<const llvm::BasicBlock*> found;
    const llvm::Loop* loop = loops_.getLoopFor(&block);
    for (const auto* child : *dominators_.getNode(&block)) {
      const llvm::BasicBlock* other = child->getBlock();
      const bool is_inside = loop && loop->contains(other);
      if (part == Part::whole ? false : is_inside != (part == Part::inside))
        continue;
      if (other->hasNPredecessorsOrMore(2) && !loops_.isLoopHeader(other))
        found.push_back(other);
    }
    std::ranges::sort(found, {}, [&](const llvm::BasicBlock* one) { return order_.at(one); });
    return found;
  }

  const llvm::BasicBlock* meeting_of_all(const llvm::BasicBlock& block, const Goal& goal, Part part) const {
    if (part != Part::whole)
      return nullptr;
    const auto* node = postdominators_.getNode(&block);
    const llvm::BasicBlock* next = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
    if (!next || goal.ends.contains(next) || loops_.isLoopHeader(next) || !next->hasNPredecessorsOrMore(2))
      return nullptr;
    const auto* dominator = dominators_.getNode(next);
    return dominator && dominator->getIDom() && dominator->getIDom()->getBlock() == &block ? next : nullptr;
  }

  void check(const llvm::Loop& loop) const {
    if (!loop.getLoopPreheader() || !loop.getLoopLatch())
      throw NotExportable{"it has a loop with several entries"};
    if (loop.getExitingBlock() != loop.getHeader())
      throw NotExportable{"it has a loop that is left in the middle or at its end: a while with one condition, without "
                          "break or return, can be written (of optimised bitcode: export the source)"};
  }

  // Throws NotExportable if the text is too long.
  Text checked(Text text) const {
    if (text.text.size() > longest)
      throw NotExportable{"its branches and loops are too many for one expression"};
    return text;
  }

  llvm::Function& function_;
  InstructionWriter& instructions_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree postdominators_;
  llvm::LoopInfo loops_;
  std::map<const llvm::BasicBlock*, int> order_; // counted from the entry
  int depth_ = 0;
};

} // namespace

using numeric::Format;

namespace {

// A function that is ready to be written as FPCore: inlined, with values instead of memory.
struct PreparedModule {
  std::unique_ptr<llvm::LLVMContext> context = std::make_unique<llvm::LLVMContext>();
  std::unique_ptr<llvm::Module> module; // destroyed before its context
  llvm::Function* function = nullptr;
};

void simplify(PreparedModule& prepared);

// Loops are neither rotated nor unrolled: they stay as in the source. Cheap conditions are joined, so that a && b ends
// a loop in one place.
constexpr const char* passes =
    "always-inline,function(sroa,instcombine<no-verify-fixpoint>,simplifycfg<bonus-inst-threshold=8>,early-cse,"
    "simplifycfg<bonus-inst-threshold=8>,loop-simplify)";

// Removes attributes of unoptimised code that forbid optimisation.
void allow_inlining(llvm::Module& module, const llvm::Function& root) {
  for (llvm::Function& function : module) {
    function.removeFnAttr(llvm::Attribute::OptimizeNone);
    function.removeFnAttr(llvm::Attribute::NoInline);
    if (!function.isDeclaration() && &function != &root)
      function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
}

// The bitcode contains all functions that are called, if the program has them. Throws UserError.
PreparedModule read_module(const std::string& bitcode, const std::string& symbol) {
  PreparedModule prepared;
  auto module = llvm::parseBitcodeFile({bitcode, symbol}, *prepared.context);
  if (!module)
    throw base::UserError(base::status_unsuitable, llvm::toString(module.takeError()),
                          "the bitcode file is damaged: make it again");
  prepared.module = std::move(*module);
  prepared.function = prepared.module->getFunction(symbol);
  if (!prepared.function || prepared.function->isDeclaration())
    throw base::UserError(base::status_unsuitable, fmt::format("{} is not defined", symbol),
                          "faultline list shows the functions");
  return prepared;
}

void simplify(PreparedModule& prepared) {
  allow_inlining(*prepared.module, *prepared.function);
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graph;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graph);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graph, modules);
  llvm::ModulePassManager manager;
  if (llvm::Error error = builder.parsePassPipeline(manager, passes))
    throw std::logic_error(llvm::toString(std::move(error)));
  manager.run(*prepared.module, modules);
}

// The width of FPCore text in characters, if possible.
constexpr size_t widest = 100;

class Layout {
public:
  void write(const Form& form, size_t indent) {
    const std::string flat = in_one_line(form);
    if (!form.is_list() || indent + flat.size() <= widest) {
      text_ += flat;
      return;
    }
    text_ += form.is_square ? "[" : "(";
    const std::string_view head = form.head();
    const size_t kept = head == "FPCore" ? 3 : head == "!" ? form.items.size() : form.items.front().is_list() ? 1 : 2;
    const bool is_block = head == "FPCore" || head == "let*" || head == "while";
    size_t column = indent + 1;
    const size_t below = is_block ? indent + 2 : form.items.front().is_list() ? indent + 1 : indent + head.size() + 2;
    for (size_t i = 0; i < form.items.size(); ++i) {
      const bool is_value = i > 0 && form.items[i - 1].is_property();
      if (i > 0 && (i < kept || is_value)) {
        text_ += " ";
        ++column;
      } else if (i > 0) {
        text_ += "\n" + std::string(below, ' ');
        column = below;
      }
      const size_t before = text_.size();
      write(form.items[i], column);
      const size_t line = text_.rfind('\n');
      column = line == std::string::npos || line < before ? column + text_.size() - before : text_.size() - line - 1;
    }
    text_ += form.is_square ? "]" : ")";
  }

  std::string take() { return std::move(text_) + "\n"; }

private:
  static std::string in_one_line(const Form& form) {
    if (!form.is_list())
      return form.text;
    std::string text = form.is_square ? "[" : "(";
    for (const Form& item : form.items)
      text += (text.size() > 1 ? " " : "") + in_one_line(item);
    return text + (form.is_square ? "]" : ")");
  }

  std::string text_;
};

// Breaks lists that do not fit in a line, one part per line.
std::string laid_out(const std::string& text) {
  Layout layout;
  for (const Form& form : read_forms(text, "FPCore"))
    layout.write(form, 0);
  return layout.take();
}

llvm::Type* type_of(const model::Type& type, llvm::LLVMContext& context) {
  return type.floating ? program::type_of(type.format, context) : llvm::Type::getIntNTy(context, unsigned(type.bits));
}

// True for a number that is passed by value or by reference and is not read after the call.
bool is_plain_number(const model::Parameter& parameter, const model::Target& target) {
  if (parameter.passing == model::Passing::value)
    return true;
  return parameter.passing == model::Passing::pointer && !parameter.is_array && parameter.alias_of.empty() &&
         std::ranges::find(target.inputs, parameter.name, &model::Cell::name) != target.inputs.end() &&
         std::ranges::find(target.outputs, parameter.name, &model::Cell::name) == target.outputs.end();
}

// If all parameters are plain numbers, adds a function that takes values and calls the original one; simplify() merges
// them. Leaves other functions unchanged.
void take_by_value(PreparedModule& prepared, const model::Target& target) {
  llvm::Function& function = *prepared.function;
  const auto by_reference = [](const model::Parameter& parameter) {
    return parameter.passing == model::Passing::pointer;
  };
  const auto is_plain = [&](const model::Parameter& parameter) { return is_plain_number(parameter, target); };
  if (function.arg_size() != target.parameters.size() || std::ranges::none_of(target.parameters, by_reference) ||
      !std::ranges::all_of(target.parameters, is_plain))
    return;
  std::vector<llvm::Type*> types;
  for (const llvm::Argument& argument : function.args()) {
    const model::Parameter& parameter = target.parameters[argument.getArgNo()];
    types.push_back(by_reference(parameter) ? type_of(parameter.type, *prepared.context) : argument.getType());
  }
  llvm::Function* caller =
      llvm::Function::Create(llvm::FunctionType::get(function.getReturnType(), types, false),
                             llvm::GlobalValue::ExternalLinkage, function.getName() + ".by_value", *prepared.module);
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(*prepared.context, "", caller));
  std::vector<llvm::Value*> values;
  for (llvm::Argument& argument : caller->args()) {
    values.push_back(&argument);
    if (by_reference(target.parameters[argument.getArgNo()])) {
      values.back() = builder.CreateAlloca(argument.getType());
      builder.CreateStore(&argument, values.back());
    }
  }
  llvm::CallInst* call = builder.CreateCall(&function, values);
  if (function.getReturnType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
  prepared.function = caller;
}

// Returns a name that neither FPCore nor another value uses: v1.
std::string free_name(const std::string& name, std::set<std::string>& taken) {
  std::string free = c_name(name);
  const bool like_ours = free.size() > 1 && free[0] == 'v' && free.find_first_not_of("0123456789", 1) == free.npos;
  if (find_constant(free) || like_ours || free == "TRUE" || free == "FALSE")
    free += "_";
  while (!taken.insert(free).second)
    free += "_";
  return free;
}

// Replaces integers by constants: FPCore has none.
void hold(PreparedModule& prepared, const model::Target& target, const ExportedWith& with) {
  if (prepared.function->arg_size() != target.parameters.size())
    return; // rejected below
  for (llvm::Argument& argument : prepared.function->args()) {
    const model::Parameter& parameter = target.parameters[argument.getArgNo()];
    if (!argument.getType()->isIntegerTy() || !is_plain_number(parameter, target))
      continue;
    const auto held = with.held.find(parameter.name);
    if (held == with.held.end())
      throw base::UserError(base::status_usage,
                            fmt::format("{}: '{}' is an integer, and FPCore has none", target.function, parameter.name),
                            fmt::format("--hold {}=4 makes it a constant", parameter.name));
    argument.replaceAllUsesWith(llvm::ConstantInt::get(argument.getType(), uint64_t(int64_t(held->second))));
  }
}

class Exporter {
public:
  Exporter(PreparedModule& prepared, const model::Target& target, const ExportedWith& with)
      : function_(*prepared.function), target_(target), with_(with), core_(result_format()), instructions_(core_) {}

  std::string run() {
    take_parameters();
    const Text body = ControlWriter(function_, instructions_).write();
    std::string text = fmt::format("(FPCore {} ({})\n", c_name(model::before_parameters(target_.function)),
                                   fmt::join(arguments_, " "));
    if (core_ != Format::binary64)
      text += fmt::format(":precision {}\n", precision_name(core_));
    if (!bounds_.empty())
      text += bounds_.size() == 1 ? fmt::format(":pre {}\n", bounds_.front())
                                  : fmt::format(":pre (and {})\n", fmt::join(bounds_, "\n"));
    return laid_out(text + body.text + ")");
  }

private:
  Format result_format() const {
    if (!function_.getReturnType()->isFloatingPointTy())
      throw NotExportable{"it returns no floating-point number"};
    return format_of(*function_.getReturnType());
  }

  void take_parameters() {
    if (function_.arg_size() != target_.parameters.size())
      throw NotExportable{"its parameters are not plain numbers"};
    for (const model::Parameter& parameter : target_.parameters)
      if (!is_plain_number(parameter, target_))
        throw NotExportable{fmt::format("its parameter '{}' is not a plain number", parameter.name)};
    std::set<std::string> taken;
    for (llvm::Argument& argument : function_.args()) {
      const model::Parameter& parameter = target_.parameters[argument.getArgNo()];
      if (argument.getType()->isPointerTy())
        throw NotExportable{fmt::format("its parameter '{}' is not a plain number", parameter.name)};
      if (parameter.type.floating)
        take_float(argument, parameter, taken);
    }
  }

  void take_float(const llvm::Argument& argument, const model::Parameter& parameter, std::set<std::string>& taken) {
    const Format format = format_of(*argument.getType());
    const std::string name = free_name(parameter.name, taken);
    instructions_.name(argument, name);
    arguments_.push_back(format == core_ ? name : fmt::format("(! :precision {} {})", precision_name(format), name));
    auto range = with_.ranges.find(parameter.name);
    if (range == with_.ranges.end())
      range = with_.ranges.find("*");
    if (range != with_.ranges.end())
      bounds_.push_back(fmt::format("(<= {} {} {})", decimal_text(range->second.first, format), name,
                                    decimal_text(range->second.second, format)));
  }

  llvm::Function& function_;
  const model::Target& target_;
  const ExportedWith& with_;
  Format core_;
  InstructionWriter instructions_;
  std::vector<std::string> arguments_, bounds_;
};

} // namespace

std::string exported(const std::string& bitcode, const model::Target& target, const ExportedWith& with) {
  try {
    if (!target.setups.empty())
      throw NotExportable{"it needs a setup function"};
    PreparedModule prepared = read_module(bitcode, target.symbol);
    take_by_value(prepared, target);
    hold(prepared, target, with);
    simplify(prepared);
    return Exporter(prepared, target, with).run();
  } catch (const NotExportable& obstacle) {
    throw base::UserError(base::status_unsuitable,
                          fmt::format("{} cannot be written as FPCore: {}", target.function, obstacle.reason),
                          "straight-line and branching code of plain numbers can be");
  }
}

} // namespace faultline::program::fpcore
