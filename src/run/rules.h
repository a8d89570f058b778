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
bool is_binary32(const llvm::Type* type);
unsigned lanes_of(const llvm::Type* type);
llvm::Type* shadow_type(llvm::Type* type);                       // binary64, as many lanes
llvm::Type* with_lanes(llvm::Type* element, llvm::Type* vector); // a scalar if `vector` is one
bool is_zero(const llvm::Value* value);                          // a constant
// True if all uses of the comparison choose one of its operands: a minimum or maximum. Its flips do no harm.
bool is_choice_of_operands(const llvm::FCmpInst& compare);

// A residue in parts. A sum of many terms adds up the parts of its terms, and is given its place once, at its end.
struct Parts {
  llvm::Value* carried; // what comes from the operands
  llvm::Value* largest; // the largest of these, with its place; null: there is none, or places are not carried
  llvm::Value* local;   // rounding errors; null: none
  llvm::Value* peak;    // the largest operand of the sums of inexact terms within; null: there is no such sum
};

class Rules {
public:
  // `place` is what a residue names if this operation contributes most. 0: residues carry no places.
  Rules(Builder& builder, uint32_t place) : builder_(builder), place_(place) {}

  // Parts: of a value with this residue, of a sum, of a product.
  Parts parts_of(llvm::Value* residue) { return parts_of(residue, residue); }
  Parts parts_of(llvm::Value* residue, llvm::Value* with_place);
  Parts sum_of(llvm::Value* v, llvm::Value* a, llvm::Value* b, const Parts& pa, const Parts& pb);
  Parts product_of(llvm::Value* v, llvm::Value* a, llvm::Value* b, llvm::Value* ra, llvm::Value* rb,
                   llvm::Value* place_of_a, llvm::Value* place_of_b);
  Parts negative(Parts parts);
  llvm::Value* total(const Parts& parts); // the residue, without a place
  // True where a sum with inexact operands has lost three digits: a mask (see lifted()). Null: it is exact.
  llvm::Value* cancellation(llvm::Value* v, const Parts& parts, llvm::Value* total);
  // The residue with its place. Where `takes_over` holds, this place gets the blame.
  llvm::Value* joined(const Parts& parts, llvm::Value* total, llvm::Value* takes_over);

  // Scalars as vectors, so that masks and their bits stay in vector registers. The other lanes are poison.
  llvm::Value* lifted(llvm::Value* value);
  llvm::Value* lowered(llvm::Value* vector, llvm::Type* type);

  // `v` is the result; `ra`, `rb`, `rc` are the residues of binary64 operands.
  llvm::Value* sum(llvm::Value* v, llvm::Value* a, llvm::Value* b, llvm::Value* ra, llvm::Value* rb);
  llvm::Value* difference(llvm::Value* v, llvm::Value* a, llvm::Value* b, llvm::Value* ra, llvm::Value* rb);
  llvm::Value* product(llvm::Value* v, llvm::Value* a, llvm::Value* b, llvm::Value* ra, llvm::Value* rb);
  llvm::Value* quotient(llvm::Value* v, llvm::Value* a, llvm::Value* b, llvm::Value* ra, llvm::Value* rb);
  llvm::Value* root(llvm::Value* v, llvm::Value* a, llvm::Value* ra);
  llvm::Value* fused(llvm::Value* v, llvm::Value* a, llvm::Value* b, llvm::Value* c, llvm::Value* ra, llvm::Value* rb,
                     llvm::Value* rc);
  llvm::Value* magnitude(llvm::Value* v, llvm::Value* a, llvm::Value* ra);
  // The residue of `v`, which is `a` or `b`, as the smaller or larger of their exact values.
  llvm::Value* extreme(llvm::Value* v, llvm::Value* a, llvm::Value* b, llvm::Value* ra, llvm::Value* rb, bool largest);

  // Names the place of the larger of a function's operands' residues, or this place if there are none.
  llvm::Value* of_function(llvm::Value* residue, llvm::ArrayRef<llvm::Value*> operands);

  // Simple arithmetic that folds zeros.
  llvm::Value* add(llvm::Value* a, llvm::Value* b);
  llvm::Value* subtract(llvm::Value* a, llvm::Value* b);
  llvm::Value* multiply(llvm::Value* a, llvm::Value* b);
  llvm::Value* fma(llvm::Value* a, llvm::Value* b, llvm::Value* c);
  llvm::Value* negative(llvm::Value* a);
  llvm::Value* absolute(llvm::Value* a);

private:
  llvm::Value* joined(llvm::Value* v, const Parts& parts);
  llvm::Value* sum_error(llvm::Value* v, llvm::Value* a, llvm::Value* b);
  bool selects_by_magnitude() const;
  llvm::Value* sized(llvm::Value* a);
  llvm::Value* size_of(llvm::Value* a);
  llvm::Value* larger(llvm::Value* a, llvm::Value* b);
  llvm::Value* with_low_word(llvm::Value* number, llvm::Value* cause);
  llvm::Value* this_place(llvm::Type* type); // as the low word of a number
  llvm::Value* largest_of(llvm::ArrayRef<llvm::Value*> parts, llvm::ArrayRef<llvm::Value*> causes);
  llvm::Value* named(llvm::Value* residue, llvm::ArrayRef<llvm::Value*> parts, llvm::ArrayRef<llvm::Value*> causes,
                     llvm::Value* local);

  Builder& builder_;
  uint32_t place_;
};

} // namespace faultline::run
