#include "instrument/loop_exits.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

namespace faultline::instrument {
namespace {

using llvm::Instruction;
using llvm::Value;

// Conditions of other conditions: a && b is one instruction or several, and a phi of what the blocks before decided.
void add_comparisons(const Value* condition, int depth, llvm::DenseSet<const Instruction*>& found) {
  constexpr int deepest = 6;
  const auto* instruction = llvm::dyn_cast<Instruction>(condition);
  if (!instruction || depth > deepest)
    return;
  if (llvm::isa<llvm::FCmpInst>(instruction)) {
    found.insert(instruction);
    return;
  }
  const bool combines =
      llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst, llvm::CastInst, llvm::ICmpInst>(instruction) ||
      (llvm::isa<llvm::BinaryOperator>(instruction) && instruction->getType()->isIntegerTy(1));
  if (!combines)
    return;
  for (const Value* operand : instruction->operands())
    if (operand->getType()->isIntegerTy() && operand->getType()->getIntegerBitWidth() <= 8 && operand != instruction)
      add_comparisons(operand, depth + 1, found);
}

} // namespace

llvm::DenseSet<const Instruction*> loop_exits(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::DenseSet<const Instruction*> found;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop->getExitingBlocks(exiting);
    for (const llvm::BasicBlock* block : exiting)
      if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator()); branch && branch->isConditional())
        add_comparisons(branch->getCondition(), 0, found);
  }
  return found;
}

} // namespace faultline::instrument
