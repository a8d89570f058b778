// Checks: one test for a group, and the code behind it.
#include "run/function_twin.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace faultline::run {

using llvm::Value;

void FunctionTwin::close_group(llvm::Instruction* before) {
  if (!group_.checks.empty()) {
    group_.before = before;
    groups_.push_back(std::move(group_));
  }
  group_ = {};
}

// The sum of the results that no other operation of the group takes. NaN and infinity arrive there.
Value* FunctionTwin::finite_test(Builder& builder, const Group& group, llvm::Type* type) {
  const auto is_in_group = [&](const llvm::User* user) {
    return llvm::any_of(group.checks,
                        [&](const Pending& other) { return other.v == user && other.v->getType() == type; });
  };
  Value* sum = nullptr;
  for (const Pending& pending : group.checks)
    if (pending.v && pending.v->getType() == type && llvm::none_of(pending.v->users(), is_in_group))
      sum = sum ? builder.CreateFAdd(sum, pending.v) : pending.v;
  Rules rules(builder, 0);
  Value* zero = rules.lifted(builder.CreateFSub(sum, sum)); // or NaN
  return builder.CreateFCmpUNO(zero, zero);
}

// Joins the masks of equal types first.
Value* FunctionTwin::condition(Builder& builder, const Group& group) {
  llvm::MapVector<std::pair<llvm::Type*, unsigned>, Value*> masks; // of vectors, and of scalars as vectors
  const auto add = [&](Value* part, bool scalar) {
    Value*& mask = masks[{part->getType(), scalar}];
    mask = mask ? builder.CreateOr(mask, part) : part;
  };
  llvm::SetVector<llvm::Type*> types;
  for (const Pending& pending : group.checks) {
    if (pending.holds)
      add(pending.holds, !pending.x->getType()->isVectorTy());
    if (pending.v)
      types.insert(pending.v->getType());
  }
  for (llvm::Type* type : types)
    add(finite_test(builder, group, type), !type->isVectorTy());
  Value* condition = nullptr;
  for (const auto& [kind, mask] : masks) {
    Value* any = mask;
    if (kind.first->isVectorTy())
      any = kind.second ? builder.CreateExtractElement(mask, uint64_t(0)) : builder.CreateOrReduce(mask);
    condition = condition ? builder.CreateOr(condition, any) : any;
  }
  return condition;
}

void FunctionTwin::emit(const Group& group) {
  Builder builder(group.before);
  builder.SetCurrentDebugLocation({});
  Value* look = condition(builder, group);
  if (!look)
    return;
  llvm::MDNode* rarely = llvm::MDBuilder(function_.getContext()).createBranchWeights(1, 100'000);
  llvm::Instruction* end = llvm::SplitBlockAndInsertIfThen(look, group.before->getIterator(), false, rarely);
  Builder behind(end);
  for (const Pending& pending : group.checks)
    hand_over(behind, pending);
}

// One call for each lane.
void FunctionTwin::hand_over(Builder& builder, const Pending& pending) {
  llvm::Type* number = builder.getDoubleTy();
  const llvm::FunctionCallee look = twin_.entry(
      "faultline_run_check", builder.getVoidTy(),
      {builder.getInt32Ty(), builder.getInt32Ty(), builder.getInt32Ty(), number, number, number, number, number});
  const bool sums = pending.check == Check::sum || pending.check == Check::difference;
  const auto residue_of = [&](Value* known, Value* value) -> Value* {
    const bool is_shadow = sums && known && is_binary32(value->getType());
    return is_shadow ? builder.CreateFSub(known, wide(builder, value)) : known;
  };
  Value* operands[] = {pending.v ? wide(builder, pending.v) : nullptr, wide(builder, pending.x),
                       wide(builder, pending.y), residue_of(pending.rx, pending.x), residue_of(pending.ry, pending.y)};
  for (unsigned i = 0; i < lanes_of(pending.x->getType()); ++i) {
    llvm::SmallVector<Value*, 8> arguments = {builder.getInt32(pending.site), builder.getInt32(uint32_t(pending.check)),
                                              builder.getInt32(pending.detail)};
    for (Value* operand : operands) {
      if (!operand)
        operand = llvm::Constant::getNullValue(number);
      arguments.push_back(operand->getType()->isVectorTy() ? builder.CreateExtractElement(operand, uint64_t(i))
                                                           : operand);
    }
    builder.CreateCall(look, arguments)->addFnAttr(llvm::Attribute::Cold);
  }
}

} // namespace faultline::run
