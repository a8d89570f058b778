// Writes a function's blocks as one expression: branches become if, loops while.
//
// FPCore has no statements, so let* binds the values of a block around the expression that follows. Where branches meet
// again, each value that depends on the path (a phi) is an if of its own, bound before the code that follows, which is
// written once. A loop must be left at its head, in one place: its phis are the variables of a while.
#pragma once

#include "frontend/fpcore_export/instructions.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/Dominators.h>
#include <set>

namespace faultline::frontend::fpcore {

class ControlWriter {
public:
  ControlWriter(llvm::Function& function, InstructionWriter& instructions);

  // Throws NotExportable.
  Text write(); // what the function returns

private:
  // The end of an expression: the value of `phi` at the entry of its block, or, without a phi, the return of the
  // function. An expression also ends, with any value, at blocks of other phis.
  struct Goal {
    const llvm::PHINode* phi = nullptr;
    std::set<const llvm::BasicBlock*> ends = {};
  };
  // The part of a loop's head that stays inside of the loop, and the part that leaves it.
  enum class Part { whole, inside, outside };

  Text edge(const llvm::BasicBlock& from, const llvm::BasicBlock& to, const Goal& goal);
  Text block(const llvm::BasicBlock& block, const Goal& goal, Part part = Part::whole);
  Text continuation(const llvm::BasicBlock& block, const Goal& goal, Part part);
  Text branched(const llvm::BasicBlock& block, const Goal& goal, Part part);
  Text loop(const llvm::Loop& loop, const llvm::BasicBlock& before, const Goal& goal);
  Text condition_of(const llvm::Loop& loop);
  Text bound(const llvm::BasicBlock& block, Text inner); // with the values that it uses
  std::vector<const llvm::BasicBlock*> meetings(const llvm::BasicBlock& block, Part part) const;
  const llvm::BasicBlock* meeting_of_all(const llvm::BasicBlock& block, const Goal& goal, Part part) const;
  void check(const llvm::Loop& loop) const;
  Text checked(Text text) const; // that it is not too long

  llvm::Function& function_;
  InstructionWriter& instructions_;
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree postdominators_;
  llvm::LoopInfo loops_;
  std::map<const llvm::BasicBlock*, int> order_; // counted from the entry
  int depth_ = 0;
};

} // namespace faultline::frontend::fpcore
