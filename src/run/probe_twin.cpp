// Probes: what a further run of the twin does differently (run::Probe). And constants of single precision among doubles.
#include "run/function_twin.h"

#include <cmath>
#include <fmt/format.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace faultline::run {

using llvm::Value;

namespace {

constexpr uint32_t no_counter = ~uint32_t(0);

size_t digits_of_text(const std::string& text) {
  const std::string mantissa = text.substr(0, text.find('e'));
  size_t count = 0;
  bool leading = true;
  for (const char c : mantissa)
    if (c >= '0' && c <= '9' && !(leading && c == '0')) {
      leading = false;
      ++count;
    }
  return count;
}

// A short decimal as a binary32, but not as a binary64, and no multiple of a large power of two.
bool is_single(double wide) {
  const auto narrow = float(wide);
  constexpr size_t of_binary32 = 8, of_binary64 = 12; // digits of a literal as people write it, and more than that
  int exponent = 0;
  const double scaled = std::frexp(wide, &exponent) * 0x1p18; // a decimal has all of the 24 bits, as a rule
  return double(narrow) == wide && scaled != std::rint(scaled) &&
         digits_of_text(fmt::format("{}", narrow)) <= of_binary32 &&
         digits_of_text(fmt::format("{}", wide)) >= of_binary64;
}

// The value of a literal such as 0.1f: a short decimal as a binary32, but not as a binary64.
std::optional<double> single_value(const Value* value) {
  const auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (constant && constant->getType()->isVectorTy())
    constant = constant->getSplatValue();
  const auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
  if (!number || !number->getType()->isDoubleTy() || !number->getValueAPF().isFiniteNonZero())
    return std::nullopt;
  const double wide = number->getValueAPF().convertToDouble(), root = std::sqrt(std::fabs(wide));
  if (is_single(wide))
    return wide;
  return root * root == wide && is_single(root) ? std::optional(root) : std::nullopt; // a square, such as a cut-off's
}

// True for a tolerance: a number below 1, or such a number times another one; and for what is not known here.
bool may_be_tolerance(const Value* value, const llvm::Loop& loop) {
  using namespace llvm::PatternMatch;
  const llvm::APFloat* number = nullptr;
  const auto is_small = [&] { return llvm::abs(*number).convertToDouble() < 1 && !number->isZero(); };
  if (match(value, m_APFloat(number)))
    return value->getType()->isDoubleTy() || value->getType()->isFloatTy() ? is_small() : false;
  if (match(value, m_c_FMul(m_APFloat(number), m_Value())))
    return is_small();
  return loop.isLoopInvariant(value);
}

// True for an element of a table: such a comparison is a search.
bool is_loaded(const Value* value) {
  if (const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(value); call && call->arg_size() == 1)
    value = call->getArgOperand(0);
  return llvm::isa<llvm::LoadInst>(value);
}

void add_tests(Value* condition, bool exits_when, const llvm::Loop& loop,
               llvm::DenseMap<const llvm::FCmpInst*, ToleranceTest>& tests) {
  using namespace llvm::PatternMatch;
  Value *a = nullptr, *b = nullptr;
  if (match(condition, m_Not(m_Value(a))))
    return add_tests(a, !exits_when, loop, tests);
  if (match(condition, m_CombineOr(m_LogicalAnd(m_Value(a), m_Value(b)), m_LogicalOr(m_Value(a), m_Value(b))))) {
    add_tests(a, exits_when, loop, tests);
    return add_tests(b, exits_when, loop, tests);
  }
  auto* compare = llvm::dyn_cast<llvm::FCmpInst>(condition);
  if (!compare || compare->isEquality() || !is_followed(compare->getOperand(0)->getType()))
    return;
  const bool greater = compare->getPredicate() & 2, less = compare->getPredicate() & 4; // LLVM's predicates are sets
  if (greater == less)
    return;
  const bool first_is_bound = exits_when ? greater : less; // at the exit it is the larger one
  const Value* bound = compare->getOperand(first_is_bound ? 0 : 1);
  const Value* quantity = compare->getOperand(first_is_bound ? 1 : 0);
  if (!loop.isLoopInvariant(quantity) && !is_loaded(quantity) && may_be_tolerance(bound, loop))
    tests.try_emplace(compare, ToleranceTest{exits_when, first_is_bound});
}

} // namespace

llvm::DenseMap<const llvm::FCmpInst*, ToleranceTest> tolerance_tests(llvm::Function& function) {
  llvm::DenseMap<const llvm::FCmpInst*, ToleranceTest> tests;
  const llvm::DominatorTree tree(function);
  const llvm::LoopInfo loops(tree);
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    llvm::SmallVector<std::pair<llvm::BasicBlock*, llvm::BasicBlock*>, 4> exits;
    loop->getExitEdges(exits);
    for (const auto& [from, to] : exits)
      if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(from->getTerminator()); branch && branch->isConditional())
        add_tests(branch->getCondition(), branch->getSuccessor(0) == to, *loop, tests);
  }
  return tests;
}

void FunctionTwin::collect_descriptions(llvm::Instruction& instruction) {
  std::vector<Described> found;
  for (llvm::DbgVariableRecord& record : llvm::filterDbgVars(instruction.getDbgRecordRange()))
    if (record.getNumVariableLocationOps() == 1)
      found.push_back({record.getVariableLocationOp(0), record.getVariable(), record.getExpression()});
  if (auto* debug = llvm::dyn_cast<llvm::DbgVariableIntrinsic>(&instruction);
      debug && debug->getNumVariableLocationOps() == 1)
    found.push_back({debug->getVariableLocationOp(0), debug->getVariable(), debug->getExpression()});
  if (!found.empty())
    described_[&instruction] = std::move(found);
}

void FunctionTwin::note_constants(llvm::Instruction& instruction) {
  if (const auto found = described_.find(&instruction); found != described_.end())
    for (const Described& described : found->second)
      if (const auto number = described.value ? single_value(described.value) : std::nullopt)
        twin_.note_constant(instruction, *number, described.variable, counter());
  if (llvm::isa<llvm::PHINode, llvm::DbgInfoIntrinsic>(instruction))
    return;
  for (const llvm::Use& operand : instruction.operands())
    if (const auto number = single_value(operand))
      twin_.note_constant(instruction, *number, nullptr, counter());
}

void FunctionTwin::fill(Builder& builder, llvm::Instruction& origin, Value* memory, Value* bytes) {
  llvm::Type *pointer = builder.getPtrTy(), *word = builder.getInt64Ty(), *number = builder.getInt32Ty();
  builder.CreateCall(twin_.entry("faultline_run_fresh", builder.getVoidTy(), {pointer, word, number}),
                     {memory, builder.CreateZExtOrTrunc(bytes, word), builder.getInt32(twin_.site(origin, fresh_memory, no_counter))});
}

// Local variables that are in memory.
void FunctionTwin::fill_variables() {
  std::vector<llvm::AllocaInst*> variables;
  for (llvm::BasicBlock& block : function_)
    for (llvm::Instruction& instruction : block)
      if (auto* variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction);
          variable && contains_floats(variable->getAllocatedType()))
        variables.push_back(variable);
  for (llvm::AllocaInst* variable : variables) {
    Builder builder(variable->getNextNode());
    builder.SetCurrentDebugLocation({});
    Value* count = builder.CreateZExtOrTrunc(variable->getArraySize(), builder.getInt64Ty());
    const uint64_t each = layout_.getTypeAllocSize(variable->getAllocatedType());
    fill(builder, *variable, variable, builder.CreateMul(count, builder.getInt64(each)));
  }
}

void FunctionTwin::fill_memory(llvm::CallBase& call) {
  const llvm::Function* callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration())
    return;
  const llvm::StringRef name = callee->getName();
  Builder builder(after(call));
  if ((name == "malloc" || name == "_Znwm" || name == "_Znam") && call.arg_size() == 1)
    fill(builder, call, &call, call.getArgOperand(0));
  else if (name == "aligned_alloc" && call.arg_size() == 2)
    fill(builder, call, &call, call.getArgOperand(1));
  else if (name == "_FortranAAllocatableAllocate" && call.arg_size() > 1)
    builder.CreateCall(twin_.entry("faultline_run_allocated", builder.getVoidTy(),
                                   {builder.getPtrTy(), builder.getInt32Ty()}),
                       {call.getArgOperand(0), builder.getInt32(twin_.site(call, fresh_memory, no_counter))});
}

// A result of arithmetic in single precision that goes on as a binary64.
void FunctionTwin::check_widening(llvm::CastInst& cast) {
  Value* operand = cast.getOperand(0);
  if (!twin_.options().probes || !llvm::isa<llvm::BinaryOperator, llvm::FPTruncInst>(operand))
    return;
  Builder builder(cast.getNextNode());
  Value* error = residue(builder, operand);
  Value* inexact = builder.CreateFCmpUNE(error, llvm::Constant::getNullValue(error->getType()));
  group_.checks.push_back({Check::widen, site(cast, widening), 0, inexact, nullptr, operand, operand, error, nullptr});
}

void FunctionTwin::plan_decision(llvm::FCmpInst& compare, Builder& builder, Value* may_flip, Value* ra, Value* rb) {
  if (!twin_.options().probes || compare.getType()->isVectorTy())
    return;
  const auto test = tolerance_tests_.find(&compare);
  const bool exits = test != tolerance_tests_.end();
  if (!exits) { // also where a value is uninitialised
    Value* no_number = builder.CreateFCmpUNO(compare.getOperand(0), compare.getOperand(1));
    may_flip = may_flip ? builder.CreateOr(may_flip, no_number) : no_number;
  }
  if (is_binary32(compare.getOperand(0)->getType()) && is_zero(ra) && is_zero(rb))
    return;
  const uint32_t bits = exits ? 1u | (test->second.exits_when ? 2u : 0u) | (test->second.first_is_bound ? 4u : 0u) : 0;
  const uint32_t number = site(compare, exits ? tolerance_test : "comparison");
  const uint32_t group = twin_.first_like(number);
  decisions_.push_back(
      {&compare, &*builder.GetInsertPoint(), exits || llvm::isa<llvm::Constant>(may_flip) ? nullptr : may_flip, number,
       bits | group << 3, ra, rb});
}

// The outcome by the runtime takes the place of the comparison's in all code that follows.
void FunctionTwin::emit(const Decision& decision) {
  llvm::FCmpInst* compare = decision.compare;
  llvm::Instruction* then = decision.before;
  llvm::BasicBlock* head = then->getParent();
  if (decision.when) {
    llvm::MDNode* rarely = llvm::MDBuilder(function_.getContext()).createBranchWeights(1, 100'000);
    then = llvm::SplitBlockAndInsertIfThen(decision.when, then->getIterator(), false, rarely);
  }
  Builder builder(then);
  builder.SetCurrentDebugLocation({});
  llvm::Type *word = builder.getInt32Ty(), *number = builder.getDoubleTy();
  auto* call = builder.CreateCall(
      twin_.entry("faultline_run_decide", word, {word, word, word, number, number, number, number, word}),
      {builder.getInt32(decision.site), builder.getInt32(uint32_t(compare->getPredicate())),
       builder.getInt32(decision.exits), wide(builder, compare->getOperand(0)), wide(builder, compare->getOperand(1)),
       decision.ra, decision.rb, builder.CreateZExt(compare, word)});
  Value* outcome = builder.CreateICmpNE(call, builder.getInt32(0));
  if (decision.when) {
    auto* either = llvm::PHINode::Create(outcome->getType(), 2, "", decision.before->getParent()->begin());
    either->addIncoming(outcome, then->getParent());
    either->addIncoming(compare, head);
    outcome = either;
  }
  compare->replaceUsesWithIf(outcome, [&](const llvm::Use& use) {
    const auto* user = llvm::cast<llvm::Instruction>(use.getUser());
    if (user == outcome)
      return false;
    if (llvm::isa<llvm::PHINode>(user))
      return true;
    if (user->getParent() == then->getParent() && user->comesBefore(call))
      return false;
    return !decision.when || user->getParent() != head;
  });
}

} // namespace faultline::run
