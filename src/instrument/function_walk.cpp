#include "instrument/function_walk.h"

#include "runtime/abi.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Constants.h>

namespace faultline::instrument {

using llvm::Value;
using numeric::Format;
namespace abi = runtime;

namespace {

// Is `user` on the short chain of calls and casts that leads to `value`?
bool made_from(Value* value, Value* user) {
  for (int step = 0; step < 4; ++step) {
    if (value == user)
      return true;
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction || instruction->getNumOperands() == 0)
      return false;
    auto* call = llvm::dyn_cast<llvm::CallInst>(instruction);
    value = call ? call->getArgOperand(call->arg_size() - 1) : instruction->getOperand(0);
  }
  return false;
}

llvm::InvokeInst* pending_invoke(llvm::BasicBlock& block) {
  llvm::BasicBlock* from = block.getSinglePredecessor();
  auto* invoke = from ? llvm::dyn_cast<llvm::InvokeInst>(from->getTerminator()) : nullptr;
  return invoke && invoke->getNormalDest() == &block ? invoke : nullptr;
}

} // namespace

FunctionWalk::FunctionWalk(llvm::Function& function, Emitter& emitter, SiteBuilder& sites, const Decisions* decisions)
    : function_(function), emitter_(emitter), sites_(sites), decisions_(decisions), layout_(function.getDataLayout()),
      state_(function.getParent()->getOrInsertGlobal(abi::state_symbol, llvm::Type::getInt8Ty(function.getContext()))),
      loop_exits_(loop_exits(function)) {}

void FunctionWalk::run() {
  llvm::ReversePostOrderTraversal<llvm::Function*> order(&function_);
  llvm::SmallVector<llvm::BasicBlock*, 16> blocks(order.begin(), order.end());
  for (llvm::BasicBlock* block : blocks) {
    llvm::SmallVector<llvm::Instruction*, 32> originals;
    for (llvm::Instruction& instruction : *block)
      originals.push_back(&instruction);
    llvm::Instruction* start =
        block->isEntryBlock() ? &*block->getFirstNonPHIOrDbgOrAlloca() : &*block->getFirstInsertionPt();
    if (block->isEntryBlock())
      enter(start);
    else if (auto* invoke = pending_invoke(*block))
      call_results(*invoke, start);
    decide_at_start(*block, start);
    for (llvm::Instruction* instruction : originals) {
      visit(instruction);
      if (!llvm::isa<llvm::PHINode>(instruction) && !instruction->isTerminator())
        decide(*instruction, after(*instruction));
    }
  }
  complete_phis();
  for (llvm::Instruction* dead : replaced_)
    if (dead->use_empty())
      dead->eraseFromParent();
}

// Where code about an instruction's result goes.
llvm::Instruction* FunctionWalk::after(llvm::Instruction& instruction) {
  return llvm::isa<llvm::PHINode>(instruction) ? &*instruction.getParent()->getFirstInsertionPt()
                                               : instruction.getNextNode();
}

Value* FunctionWalk::address(Builder& builder, Value* pointer, const Lane& lane) {
  return lane.offset == 0 ? pointer : builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, lane.offset);
}

Value* FunctionWalk::extract(Builder& builder, Value* value, const Lane& lane) {
  if (!lane.path.empty())
    value = builder.CreateExtractValue(value, lane.path);
  return lane.element >= 0 ? builder.CreateExtractElement(value, uint64_t(lane.element)) : value;
}

// The indices of a value, one a lane. The builder stands where they are needed.
FunctionWalk::Indices FunctionWalk::indices_of(Value* value, Builder& builder) {
  if (auto found = indices_.find(value); found != indices_.end())
    return found->second;
  Indices indices;
  for (const Lane& lane : lanes_of(value->getType(), layout_)) {
    auto* part = llvm::dyn_cast<llvm::Constant>(value);
    for (unsigned step : lane.path)
      part = part ? part->getAggregateElement(step) : nullptr;
    if (part && lane.element >= 0)
      part = part->getAggregateElement(unsigned(lane.element));
    if (auto* number = llvm::dyn_cast_or_null<llvm::ConstantFP>(part))
      indices.push_back(builder.getInt32(sites_.constant(number->getValueAPF(), lane.format)));
    else if (part && llvm::isa<llvm::UndefValue>(part))
      indices.push_back(builder.getInt32(sites_.zero(lane.format)));
    else
      indices.push_back(emitter_.leaf(builder, extract(builder, value, lane), lane.format));
  }
  return indices;
}

void FunctionWalk::leaves(llvm::Instruction& instruction) {
  if (instruction.isTerminator())
    return; // an invoke: its results are read in the destination
  Builder builder(after(instruction));
  Indices indices;
  for (const Lane& lane : lanes_of(instruction.getType(), layout_))
    indices.push_back(leaf(builder, extract(builder, &instruction, lane), lane.format, origin(instruction)));
  indices_[&instruction] = indices;
}

void FunctionWalk::record(llvm::Instruction& instruction, Operation& operation) {
  Builder builder(after(instruction));
  llvm::SmallVector<Value*, 3> operands;
  for (Value* operand : operation.operands) {
    if (operand->getType()->isIntegerTy()) { // has_integer_operand
      Value* number = builder.CreateSIToFP(operand, builder.getDoubleTy());
      if (auto* constant = llvm::dyn_cast<llvm::ConstantFP>(number))
        operands.push_back(builder.getInt32(sites_.constant(constant->getValueAPF(), Format::binary64)));
      else
        operands.push_back(leaf(builder, number, Format::binary64, origin(instruction)));
    } else {
      operands.push_back(indices_of(operand, builder)[0]);
    }
  }
  const uint32_t site = sites_.add(operation, instruction, loop_exits_.contains(&instruction));
  if (ops::is_comparison(operation.op)) {
    replace(instruction, emitter_.compare(builder, site, operands, &instruction));
  } else if (ops::is_to_int(operation.op)) {
    replace(instruction, emitter_.to_int(builder, site, operands[0], &instruction, operation.is_signed));
  } else {
    Emitted emitted = emitter_.operation(builder, site, operands, &instruction, operation.format);
    indices_[&instruction] = {emitted.index};
    indices_[emitted.value] = {emitted.index};
    replace(instruction, emitted.value);
  }
}

// The program goes on with `value`; the native instruction stays only where `value` is computed from it.
void FunctionWalk::replace(llvm::Instruction& instruction, Value* value) {
  if (value == &instruction)
    return;
  instruction.replaceUsesWithIf(value, [&](llvm::Use& use) { return !made_from(value, use.getUser()); });
  if (!instruction.mayHaveSideEffects())
    replaced_.push_back(&instruction);
}

void FunctionWalk::visitInstruction(llvm::Instruction& instruction) {
  if (auto operation = operation_of(instruction))
    return record(instruction, *operation);
  if (has_lanes(instruction.getType()))
    leaves(instruction);
  if (instruction.isTerminator())
    emitter_.end_segment(&instruction);
}

void FunctionWalk::visitPHINode(llvm::PHINode& phi) {
  const unsigned lanes = lane_count(phi.getType());
  if (lanes == 0)
    return;
  Builder builder(&phi);
  Indices indices;
  for (unsigned i = 0; i < lanes; ++i)
    indices.push_back(builder.CreatePHI(builder.getInt32Ty(), phi.getNumIncomingValues()));
  indices_[&phi] = indices;
  phis_.push_back(&phi);
}

void FunctionWalk::complete_phis() {
  for (llvm::PHINode* phi : phis_) {
    const Indices indices = indices_[phi];
    for (unsigned incoming = 0; incoming < phi->getNumIncomingValues(); ++incoming) {
      llvm::BasicBlock* from = phi->getIncomingBlock(incoming);
      Value* value = phi->getIncomingValue(incoming);
      Builder builder(from->getTerminator());
      Indices sources;
      if (indices_.contains(value) || llvm::isa<llvm::Constant>(value))
        sources = indices_of(value, builder);
      else // an unreachable predecessor
        sources.assign(indices.size(), builder.getInt32(0));
      for (size_t lane = 0; lane < indices.size(); ++lane)
        llvm::cast<llvm::PHINode>(indices[lane])->addIncoming(sources[lane], from);
      emitter_.end_segment(from->getTerminator());
    }
  }
}

void FunctionWalk::visitSelectInst(llvm::SelectInst& select) {
  const unsigned lanes = lane_count(select.getType());
  if (lanes == 0 || select.getCondition()->getType()->isVectorTy())
    return visitInstruction(select);
  Builder builder(after(select));
  Indices yes = indices_of(select.getTrueValue(), builder), no = indices_of(select.getFalseValue(), builder);
  for (unsigned i = 0; i < lanes; ++i)
    yes[i] = builder.CreateSelect(select.getCondition(), yes[i], no[i]);
  indices_[&select] = yes;
}

void FunctionWalk::visitFreezeInst(llvm::FreezeInst& freeze) {
  if (!has_lanes(freeze.getType()))
    return;
  Builder builder(after(freeze));
  indices_[&freeze] = indices_of(freeze.getOperand(0), builder);
}

} // namespace faultline::instrument
