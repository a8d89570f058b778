// What can be reached from some values of a module: all that they name, and all that these name. Functions that are
// loaded lazily are read as they are reached.
#pragma once

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Module.h>

namespace faultline::frontend {

class Reach {
public:
  void add(llvm::Value* value);
  void run(); // from what was added since the last time

  bool contains(const llvm::Constant* constant) const { return seen_.contains(constant); }
  const auto& all() const { return seen_; }

private:
  llvm::SmallPtrSet<llvm::Constant*, 32> seen_;
  llvm::SmallVector<llvm::Constant*, 64> work_;
};

} // namespace faultline::frontend
