// Checks: one test for a group, and the code behind it.
#include "run/function_twin.h"

#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace faultline::run {

using llvm::Value;

namespace {

Value* any_lane(Builder& builder, Value* condition) {
  return condition->getType()->isVectorTy() ? builder.CreateOrReduce(condition) : condition;
}

} // namespace

void FunctionTwin::close_group(llvm::Instruction* before) {
  if (!group_.checks.empty()) {
    group_.before = before;
    groups_.push_back(std::move(group_));
  }
  group_ = {};
}

// A sum of NaN where an end of the group is NaN or infinite, else of zeros.
Value* FunctionTwin::condition(Builder& builder, const Group& group) {
  Value* condition = nullptr;
  const auto add = [&](Value* part) {
    part = any_lane(builder, part);
    condition = condition ? builder.CreateOr(condition, part) : part;
  };
  llvm::DenseMap<llvm::Type*, Value*> sums;
  for (llvm::Instruction* end : group.ends) {
    Value* zero = builder.CreateFSub(end, end);
    Value*& sum = sums[end->getType()];
    sum = sum ? builder.CreateFAdd(sum, zero) : zero;
  }
  for (const auto& [type, sum] : sums)
    add(builder.CreateFCmpUNO(sum, llvm::Constant::getNullValue(type)));
  for (const Pending& pending : group.checks) {
    if (pending.holds) {
      add(pending.holds);
    } else if (pending.check != Check::born && !(is_zero(pending.rx) && is_zero(pending.ry))) {
      Rules rules(builder, 0); // a sum of inexact operands that loses three digits
      Value* enlarged = builder.CreateFMul(pending.v, llvm::ConstantFP::get(pending.v->getType(), 1024));
      add(builder.CreateFCmpOLT(rules.absolute(enlarged), rules.absolute(pending.x)));
    }
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
