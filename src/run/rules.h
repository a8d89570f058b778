// Residue rules as code: emits, beside an operation, the computation of its residue from those of its operands.
//
// For binary64 the local error comes from error-free transformations (numeric/eft.h), and second-order terms are kept,
// so that a residue as large as its value is right, too. For binary32 the operation is repeated in binary64.
#pragma once

#include <cstdint>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

namespace faultline::run {

using Builder = llvm::IRBuilder<>;

// binary64, binary32, and vectors of them.
bool is_followed(const llvm::Type* type);
bool contains_floats(const llvm::Type* type); // a type, or its elements
bool is_binary32(const llvm::Type* type);
unsigned lanes_of(const llvm::Type* type);
llvm::Type* shadow_type(llvm::Type* type);                       // binary64, as many lanes
llvm::Type* with_lanes(llvm::Type* element, llvm::Type* vector); // a scalar if `vector` is one
bool is_zero(const llvm::Value* value);                          // a constant
// True if all uses of the comparison choose one of its operands: a minimum or maximum. Its flips do no harm.
bool is_choice_of_operands(const llvm::FCmpInst& compare);

// A residue. Its cause names in its low bits the place that contributed most, and is as large as that contribution.
struct Residue {
  llvm::Value* value;
  llvm::Value* cause = nullptr; // null: the value itself has the place in its low bits, or places are not carried
};

class Rules {
public:
  // `place` is what a residue names if this operation contributes most. 0: residues carry no places.
  Rules(Builder& builder, uint32_t place) : builder_(builder), place_(place) {}

  // `v` is the result; `ra`, `rb`, `rc` are the residues of binary64 operands.
  Residue sum(llvm::Value* v, llvm::Value* a, llvm::Value* b, Residue ra, Residue rb);
  Residue difference(llvm::Value* v, llvm::Value* a, llvm::Value* b, Residue ra, Residue rb);
  Residue product(llvm::Value* v, llvm::Value* a, llvm::Value* b, Residue ra, Residue rb);
  Residue quotient(llvm::Value* v, llvm::Value* a, llvm::Value* b, Residue ra, Residue rb);
  Residue root(llvm::Value* v, llvm::Value* a, Residue ra);
  Residue fused(llvm::Value* v, llvm::Value* a, llvm::Value* b, llvm::Value* c, Residue ra, Residue rb, Residue rc);
  Residue magnitude(llvm::Value* v, llvm::Value* a, Residue ra);
  // The residue of `v`, which is `a` or `b`, as the smaller or larger of their exact values.
  Residue extreme(llvm::Value* v, llvm::Value* a, llvm::Value* b, Residue ra, Residue rb, bool largest);

  // The larger operand of a sum that is part of other sums, as far as it matters to cancellation().
  llvm::Value* peak_of(llvm::Value* a, llvm::Value* peak);
  // True where an inexact sum has lost three digits: a mask (see lifted()).
  llvm::Value* cancellation(llvm::Value* v, llvm::Value* peak, llvm::Value* residue);
  // This place gets the blame where the mask holds.
  void blame(Residue& residue, llvm::Value* mask);
  // The residue with the place in its low bits. 0 stays 0.
  llvm::Value* placed(Residue residue);
  llvm::Value* without_place(llvm::Value* residue);

  // Scalars as vectors, so that masks and their bits stay in vector registers. The other lanes are poison.
  llvm::Value* lifted(llvm::Value* value);
  llvm::Value* lowered(llvm::Value* vector, llvm::Type* type);

  // Names the place of the larger of a function's operands' residues, or this place if there are none.
  Residue of_function(llvm::Value* residue, llvm::ArrayRef<Residue> operands);

  // Names this place.
  Residue here(llvm::Value* residue);

  // Simple arithmetic that folds zeros.
  llvm::Value* add(llvm::Value* a, llvm::Value* b);
  llvm::Value* subtract(llvm::Value* a, llvm::Value* b);
  llvm::Value* multiply(llvm::Value* a, llvm::Value* b);
  llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c);
  llvm::Value* negative(llvm::Value* a);
  llvm::Value* absolute(llvm::Value* a);

private:
  struct Part {
    llvm::Value* size;
    llvm::Value* cause; // null: this operation
  };
  llvm::Value* sum_error(llvm::Value* v, llvm::Value* a, llvm::Value* b);
  bool selects_by_magnitude() const;
  llvm::Value* larger(llvm::Value* a, llvm::Value* b);
  llvm::Value* with_low_word(llvm::Value* number, llvm::Value* cause);
  llvm::Value* this_place(llvm::Type* type); // as the low word of a number
  llvm::Value* largest_of(llvm::ArrayRef<Part> parts);

  Builder& builder_;
  uint32_t place_;
};

} // namespace faultline::run
