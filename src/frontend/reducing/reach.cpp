#include "frontend/reducing/reach.h"

#include "frontend/unit.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace faultline::frontend {

void Reach::add(llvm::Value* value) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant || !seen_.insert(constant).second)
    return;
  work_.push_back(constant);
}

void Reach::run() {
  while (!work_.empty()) {
    llvm::Constant* constant = work_.pop_back_val();
    if (auto* function = llvm::dyn_cast<llvm::Function>(constant)) {
      materialize(*function);
      for (llvm::Instruction& instruction : llvm::instructions(*function))
        for (llvm::Use& operand : instruction.operands())
          add(operand);
    }
    for (llvm::Use& operand : constant->operands())
      add(operand);
  }
}

} // namespace faultline::frontend
