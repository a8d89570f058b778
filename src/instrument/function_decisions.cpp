// Records of integer conditions, and leaves that say where they come from. Only in the mode that asks for them.
#include "instrument/function_walk.h"

#include "runtime/abi.h"

namespace faultline::instrument {

using llvm::Value;
using numeric::Format;

namespace {

// The position among the successors that the integer leads to: 0 for the default, else the number of the case.
Value* taken_case(llvm::IRBuilder<>& builder, llvm::SwitchInst& branch) {
  Value* taken = builder.getInt64(0);
  for (const auto& one : branch.cases()) {
    Value* here = builder.CreateICmpEQ(branch.getCondition(), one.getCaseValue());
    taken = builder.CreateSelect(here, builder.getInt64(one.getCaseIndex() + 1), taken);
  }
  return taken;
}

} // namespace

Value* FunctionWalk::leaf(Builder& builder, Value* value, Format format, const Origin& origin) {
  return emitter_.leaf(builder, value, format, sites_.leaf(format, origin));
}

// What stands on the tape for an integer: a constant of the program, or the site of its leaf; 0 if there is none.
uint32_t FunctionWalk::source(const Compared& integer) {
  if (!integer.value)
    return 0;
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(integer.value)) {
    llvm::APFloat number(llvm::APFloat::IEEEdouble());
    number.convertFromAPInt(constant->getValue(), integer.is_signed, llvm::APFloat::rmNearestTiesToEven);
    return sites_.constant(number, Format::binary64);
  }
  return sites_.leaf(Format::binary64, integer.origin);
}

Value* FunctionWalk::operand(Builder& builder, const Compared& integer, uint32_t source) {
  if (source == 0 || runtime::is_constant(source))
    return builder.getInt32(source);
  Value* number = integer.is_signed ? builder.CreateSIToFP(integer.value, builder.getDoubleTy())
                                    : builder.CreateUIToFP(integer.value, builder.getDoubleTy());
  return emitter_.leaf(builder, number, Format::binary64, source);
}

void FunctionWalk::decide(Value& condition, llvm::Instruction* before) {
  const Decision* decision = decisions_ ? decisions_->find(condition) : nullptr;
  if (!decision)
    return;
  // Sites and constants come first: both versions of the program have the same.
  const uint32_t site = sites_.decide(*decision);
  const uint32_t a = source(decision->a), b = source(decision->b);
  if (!emitter_.records_decisions())
    return;
  Builder builder(before);
  Value* first = operand(builder, decision->a, a);
  Value* second = operand(builder, decision->b, b);
  auto* branch = llvm::dyn_cast<llvm::SwitchInst>(&condition);
  emitter_.decide(builder, site, {first, second}, branch ? taken_case(builder, *branch) : &condition);
}

// Conditions that are there when a block begins: its phis, and in the first block the function's arguments.
void FunctionWalk::decide_at_start(llvm::BasicBlock& block, llvm::Instruction* start) {
  if (!decisions_)
    return;
  if (block.isEntryBlock())
    for (llvm::Argument& argument : function_.args())
      decide(argument, start);
  for (llvm::PHINode& phi : block.phis())
    decide(phi, start);
}

void FunctionWalk::visitSwitchInst(llvm::SwitchInst& branch) {
  decide(branch, &branch);
  visitInstruction(branch);
}

} // namespace faultline::instrument
