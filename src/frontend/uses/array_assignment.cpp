#include "frontend/uses/array_assignment.h"

#include "frontend/described_array.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <vector>

namespace faultline::frontend {
namespace {

using Builder = llvm::IRBuilder<>;
using llvm::Value;

constexpr uint64_t most_dimensions = 4;

// How many bytes to copy. There is no branch and no select: they would be decisions of the program under test.
Value* length_of_copy(Builder& builder, DescribedArray& to, DescribedArray& from, Value* target, Value* source) {
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
  DescribedArray to(builder, assignment.getArgOperand(0)), from(builder, assignment.getArgOperand(1));
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
