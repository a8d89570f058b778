#include "frontend/array_assignment.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <vector>

namespace faultline::frontend {
namespace {

using Builder = llvm::IRBuilder<>;
using llvm::Value;

constexpr uint64_t most_dimensions = 4;
constexpr uint64_t first_float = 25, last_float = 38; // of the type codes: real and complex of every kind

// A descriptor that is read at run time (frontend/descriptor.h has its words).
class Described {
public:
  Described(Builder& builder, Value* descriptor) : builder_(builder), descriptor_(descriptor) {
    kind_ = builder.CreateAnd(word(builder.getInt64(16)), 0xffffffffffff); // version, rank, type
    rank_ = builder.CreateAnd(builder.CreateLShr(kind_, 32), 0xff);
  }

  Value* address() { return builder_.CreateLoad(builder_.getPtrTy(), descriptor_); }
  Value* element_bytes() { return word(builder_.getInt64(8)); }
  Value* kind() const { return kind_; }
  Value* rank() const { return rank_; }
  Value* is_float() {
    Value* from_first = builder_.CreateSub(builder_.CreateLShr(kind_, 40), builder_.getInt64(first_float));
    return builder_.CreateICmpULE(from_first, builder_.getInt64(last_float - first_float));
  }
  // All ones if there is such a dimension, else 0. What the others tell of one that is not there means nothing.
  Value* has(uint64_t dimension) {
    return builder_.CreateSExt(builder_.CreateICmpUGT(rank_, builder_.getInt64(dimension)), builder_.getInt64Ty());
  }
  Value* extent(uint64_t dimension) { return of_dimension(dimension, 8); }
  Value* stride(uint64_t dimension) { return of_dimension(dimension, 16); }

private:
  Value* word(Value* offset) {
    return builder_.CreateLoad(builder_.getInt64Ty(), builder_.CreateGEP(builder_.getInt8Ty(), descriptor_, offset));
  }
  Value* of_dimension(uint64_t dimension, uint64_t offset) {
    Value* start = builder_.CreateAnd(has(dimension), 24 + 24 * dimension);
    return word(builder_.CreateAdd(start, builder_.getInt64(offset)));
  }

  Builder& builder_;
  Value* descriptor_;
  Value* kind_;
  Value* rank_;
};

// How many bytes to copy. There is no branch and no select: they would be decisions of the program under test.
Value* length_of_copy(Builder& builder, Described& to, Described& from, Value* target, Value* source) {
  Value* fits = builder.CreateAnd(builder.CreateICmpEQ(to.kind(), from.kind()),
                                  builder.CreateICmpEQ(to.element_bytes(), from.element_bytes()));
  fits = builder.CreateAnd(fits, builder.CreateICmpULE(to.rank(), builder.getInt64(most_dimensions)));
  fits = builder.CreateAnd(fits, to.is_float());
  Value* bytes = to.element_bytes();
  for (uint64_t dimension = 0; dimension < most_dimensions; ++dimension) {
    Value* there = to.has(dimension);
    Value* extent = to.extent(dimension);
    Value* contiguous = builder.CreateAnd(builder.CreateICmpEQ(to.stride(dimension), bytes),
                                          builder.CreateICmpEQ(from.stride(dimension), bytes));
    Value* alike = builder.CreateAnd(contiguous, builder.CreateICmpEQ(extent, from.extent(dimension)));
    fits = builder.CreateAnd(fits, builder.CreateOr(alike, builder.CreateIsNull(there)));
    bytes = builder.CreateMul(
        bytes, builder.CreateOr(builder.CreateAnd(extent, there), builder.CreateAnd(builder.CreateNot(there), 1)));
  }
  Value* first = builder.CreatePtrToInt(target, builder.getInt64Ty());
  Value* other = builder.CreatePtrToInt(source, builder.getInt64Ty());
  Value* apart = builder.CreateOr(builder.CreateICmpULE(builder.CreateAdd(first, bytes), other),
                                  builder.CreateICmpULE(builder.CreateAdd(other, bytes), first));
  return builder.CreateAnd(bytes, builder.CreateSExt(builder.CreateAnd(fits, apart), builder.getInt64Ty()));
}

void copy_again(llvm::CallInst& assignment) {
  Builder builder(&assignment);
  Value* before = builder.CreateLoad(builder.getPtrTy(), assignment.getArgOperand(0));
  builder.SetInsertPoint(assignment.getNextNode());
  Described to(builder, assignment.getArgOperand(0)), from(builder, assignment.getArgOperand(1));
  Value *target = to.address(), *source = from.address();
  Value* kept = builder.CreateOr(builder.CreateICmpEQ(before, target), builder.CreateIsNull(before));
  Value* length = builder.CreateAnd(length_of_copy(builder, to, from, target, source),
                                    builder.CreateSExt(kept, builder.getInt64Ty()));
  builder.CreateMemMove(target, llvm::MaybeAlign(1), source, llvm::MaybeAlign(1), length);
}

} // namespace

void follow_array_assignments(llvm::Module& module) {
  llvm::Function* assign = module.getFunction("_FortranAAssign");
  if (!assign || !assign->isDeclaration())
    return;
  std::vector<llvm::CallInst*> assignments;
  for (llvm::User* user : assign->users())
    if (auto* call = llvm::dyn_cast<llvm::CallInst>(user); call && call->getCalledFunction() == assign)
      assignments.push_back(call);
  for (llvm::CallInst* call : assignments)
    if (call->arg_size() >= 2 && call->getArgOperand(1)->getType()->isPointerTy())
      copy_again(*call);
}

} // namespace faultline::frontend
