// Code that reads a Fortran array's descriptor at run time (frontend/descriptor.h has its words).
//
// There is no branch and no select in it: they would be decisions of the program under test.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace faultline::frontend {

class DescribedArray {
public:
  DescribedArray(llvm::IRBuilder<>& builder, llvm::Value* descriptor);

  llvm::Value* address();
  llvm::Value* element_bytes();
  llvm::Value* kind() const { return kind_; } // version, rank and type of the elements
  llvm::Value* rank() const { return rank_; }
  llvm::Value* is_float(); // or a complex number
  // All ones if there is such a dimension, else 0. What the others tell of one that is not there means nothing.
  llvm::Value* has(uint64_t dimension);
  llvm::Value* extent(uint64_t dimension) { return of_dimension(dimension, 8); }
  llvm::Value* stride(uint64_t dimension) { return of_dimension(dimension, 16); } // in bytes

private:
  llvm::Value* word(llvm::Value* offset);
  llvm::Value* of_dimension(uint64_t dimension, uint64_t offset);

  llvm::IRBuilder<>& builder_;
  llvm::Value* descriptor_;
  llvm::Value* kind_;
  llvm::Value* rank_;
};

} // namespace faultline::frontend
