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
bool contains_floats(const llvm::Type* type);         // a type, or its elements
bool is_binary32(const llvm::Type* type);
unsigned lanes_of(const llvm::Type* type);
llvm::Type* shadow_type(llvm::Type* type);                       // binary64, as many lanes
llvm::Type* with_lanes(llvm::Type* element, llvm::Type* vector); // a scalar if `vector` is one
bool is_zero(const llvm::Value* value);                          // a constant
// True if all uses of the comparison choose one of its operands: a minimum or maximum. Its flips do no harm.
bool is_choice_of_operands(const llvm::FCmpInst& compare);

class Rules {
public:
  // `place` is what a residue names if this operation contributes most. 0: residues carry no places.
  Rules(Builder& builder, uint32_t place) : builder_(builder), place_(place) {}

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

  // Names this place.
  llvm::Value* here(llvm::Value* residue);

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
    llvm::Value* cause; // the residue that has its place; null: this operation
  };
  llvm::Value* sum_error(llvm::Value* v, llvm::Value* a, llvm::Value* b);
  llvm::Value* with_low_word(llvm::Value* number, llvm::Value* cause);
  llvm::Value* this_place(llvm::Type* type); // as the low word of a number
  llvm::Value* unless_zero(llvm::Value* residue, llvm::Value* named);
  llvm::Value* placed(llvm::Value* size, llvm::Value* cause);
  llvm::Value* caused(llvm::Value* residue, llvm::ArrayRef<Part> parts, llvm::Value* takes_over = nullptr);
  llvm::Value* cancellation(llvm::Value* v, llvm::Value* a);

  Builder& builder_;
  uint32_t place_;
};

} // namespace faultline::run
