#include "frontend/fpcore_export/control.h"

#include "frontend/fpcore/core.h"

#include <algorithm>
#include <fmt/format.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace faultline::frontend::fpcore {
namespace {

constexpr size_t longest = largest_file / 2; // larger output could not be read back
constexpr int deepest = deepest_form / 4;    // nested blocks, each with a few parentheses
constexpr const char* any_value = "0";       // for unused values

bool is_left_out(const llvm::Instruction& instruction) {
  return instruction.isTerminator() || llvm::isa<llvm::PHINode>(instruction) ||
         llvm::isa<llvm::DbgInfoIntrinsic>(instruction) || instruction.isLifetimeStartOrEnd();
}

} // namespace

ControlWriter::ControlWriter(llvm::Function& function, InstructionWriter& instructions)
    : function_(function), instructions_(instructions), dominators_(function), postdominators_(function),
      loops_(dominators_) {
  for (const llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
    order_.emplace(block, int(order_.size()));
}

Text ControlWriter::write() {
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

Text ControlWriter::checked(Text text) const {
  if (text.text.size() > longest)
    throw NotExportable{"its branches and loops are too many for one expression"};
  return text;
}

// Returns the blocks where paths meet whose last common block is this one.
std::vector<const llvm::BasicBlock*> ControlWriter::meetings(const llvm::BasicBlock& block, Part part) const {
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

const llvm::BasicBlock* ControlWriter::meeting_of_all(const llvm::BasicBlock& block, const Goal& goal,
                                                      Part part) const {
  if (part != Part::whole)
    return nullptr;
  const auto* node = postdominators_.getNode(&block);
  const llvm::BasicBlock* next = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  if (!next || goal.ends.contains(next) || loops_.isLoopHeader(next) || !next->hasNPredecessorsOrMore(2))
    return nullptr;
  const auto* dominator = dominators_.getNode(next);
  return dominator && dominator->getIDom() && dominator->getIDom()->getBlock() == &block ? next : nullptr;
}

Text ControlWriter::edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to, const Goal& goal) {
  if (goal.phi && goal.phi->getParent() == &to)
    return instructions_.use(*goal.phi->getIncomingValueForBlock(&from), instructions_.core(), nullptr);
  if (goal.ends.contains(&to))
    return {any_value};
  if (loops_.isLoopHeader(&to))
    return loop(*loops_.getLoopFor(&to), from, goal);
  return block(to, goal);
}

// Binds the block's used values in their order with let*.
Text ControlWriter::bound(const llvm::BasicBlock& block, Text inner) {
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

Text ControlWriter::block(const llvm::BasicBlock& block, const Goal& goal, Part part) {
  if (++depth_ > deepest)
    throw NotExportable{"its branches are too deep for one expression"};
  Text text = bound(block, continuation(block, goal, part));
  --depth_;
  return text;
}

Text ControlWriter::continuation(const llvm::BasicBlock& block, const Goal& goal, Part part) {
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

Text ControlWriter::branched(const llvm::BasicBlock& block, const Goal& goal, Part part) {
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

void ControlWriter::check(const llvm::Loop& loop) const {
  if (!loop.getLoopPreheader() || !loop.getLoopLatch())
    throw NotExportable{"it has a loop with several entries"};
  if (loop.getExitingBlock() != loop.getHeader())
    throw NotExportable{"it has a loop that is left in the middle or at its end: a while with one condition, without "
                        "break or return, can be written (of optimised bitcode: export the source)"};
}

Text ControlWriter::condition_of(const llvm::Loop& loop) {
  const auto* branch = llvm::cast<llvm::BranchInst>(loop.getHeader()->getTerminator());
  const bool goes_on = loop.contains(branch->getSuccessor(0));
  Text text = instructions_.use(*branch->getCondition(), instructions_.core(), loop.getHeader());
  return bound(*loop.getHeader(), goes_on ? text : Text{"(not "} + text + ")");
}

Text ControlWriter::loop(const llvm::Loop& loop, const llvm::BasicBlock& before, const Goal& goal) {
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
  Text text = Text{"(while "} + condition_of(loop) + "\n(" + variables + ")\n" + block(head, goal, Part::outside) + ")";
  for (const llvm::PHINode& phi : head.phis())
    text.uses.erase(&phi);
  return checked(text);
}

} // namespace faultline::frontend::fpcore
