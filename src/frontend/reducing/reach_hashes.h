// How hashes of what functions can run are made (frontend/reducing/reach_hash.h).
//
// The hash is of the shape: instructions, constants and initial values in the order in which they are reached from the
// function. Names of what is defined in the program do not count, as linking changes those of static functions; names
// of what is not defined do. Types count by what they are made of. Debug information does not count: a comment that
// moves the lines of a file changes no code. The lines have a hash of their own, by which it is known that places which
// were noted before are out of date. Static constructors count if they reach a variable that the function reaches.
#pragma once

#include "frontend/reducing/reach_hash.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/Module.h>
#include <memory>
#include <vector>

namespace faultline::frontend {

// Of one module's functions. What each holds by itself is read once.
class ReachHashes {
public:
  explicit ReachHashes(llvm::Module& module);

  // Throws UserError if the bitcode is damaged.
  ReachHash of(llvm::Function& function);

private:
  struct Own {
    std::string code, places;
    std::vector<llvm::GlobalValue*> names; // what it names, in order
  };
  struct Constructor {
    llvm::GlobalValue* function = nullptr;
    llvm::DenseSet<const llvm::GlobalValue*> variables; // that it reaches
  };
  class Walk;
  const Own& own(llvm::GlobalValue& value);

  llvm::DenseMap<const llvm::GlobalValue*, std::unique_ptr<const Own>> known_;
  std::vector<Constructor> constructors_;
};

} // namespace faultline::frontend
