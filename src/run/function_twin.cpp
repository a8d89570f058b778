#include "run/function_twin.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace faultline::run {

using llvm::Value;

// Of a group: few, as their operands stay in registers until the group's test. Measured on four programs: 8 cost 5 %
// less than 3, and 8 % less than 1.
static constexpr size_t most_checks = 8;

FunctionTwin::FunctionTwin(llvm::Function& function, ModuleTwin& twin)
    : function_(function), twin_(twin), layout_(function.getParent()->getDataLayout()) {}

void FunctionTwin::run() {
  std::vector<llvm::InvokeInst*> invokes;
  for (llvm::BasicBlock& block : function_)
    if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(block.getTerminator()))
      invokes.push_back(invoke);
  for (llvm::InvokeInst* invoke : invokes) // what follows the call gets a block of its own
    if (!invoke->getNormalDest()->getSinglePredecessor())
      llvm::SplitEdge(invoke->getParent(), invoke->getNormalDest());

  std::vector<std::vector<llvm::Instruction*>> blocks; // without what is emitted
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal(&function_)) {
    blocks.emplace_back();
    for (llvm::Instruction& instruction : *block) {
      blocks.back().push_back(&instruction);
      collect_descriptions(instruction);
    }
  }
  if (twin_.options().probes) {
    tolerance_tests_ = tolerance_tests(function_);
    fill_variables();
  }
  receive_arguments();
  for (const std::vector<llvm::Instruction*>& instructions : blocks) {
    block_ = instructions.front()->getParent();
    counter_.reset();
    for (llvm::Instruction* instruction : instructions) {
      if (instruction->isTerminator() ||
          (group_.checks.size() >= most_checks && !llvm::isa<llvm::PHINode>(instruction)))
        close_group(instruction);
      note_constants(*instruction);
      if (!twin_.options().watched.empty())
        note_watched(*instruction);
      visit(*instruction);
    }
  }
  fill_phis();
  if (twin_.writes_values())
    record_values(blocks);
  for (const Group& group : groups_)
    emit(group);
  for (const Decision& decision : decisions_)
    emit(decision);
}

// The counter of the current block, which counts from its beginning. Two threads may lose a count.
uint32_t FunctionTwin::counter() {
  if (counter_)
    return *counter_;
  counter_ = twin_.new_counter();
  Builder builder(&*block_->getFirstInsertionPt());
  builder.SetCurrentDebugLocation({});
  Value* place =
      builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), twin_.memory(), header_bytes + uint64_t(*counter_) * 8);
  builder.CreateStore(builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), place), builder.getInt64(1)), place);
  return *counter_;
}

uint32_t FunctionTwin::site(llvm::Instruction& instruction, std::string operation) {
  return twin_.site(instruction, std::move(operation), counter());
}

// Where code that uses the result goes.
llvm::Instruction* FunctionTwin::after(llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction))
    return &*instruction.getParent()->getFirstInsertionPt();
  if (auto* invoke = llvm::dyn_cast<llvm::InvokeInst>(&instruction))
    return &*invoke->getNormalDest()->getFirstInsertionPt();
  return instruction.getNextNode();
}

Value* FunctionTwin::shadow(Value* value) {
  if (const auto known = shadows_.find(value); known != shadows_.end())
    return known->second;
  return exact_shadow(value);
}

Residue FunctionTwin::known(Value* value) { return {shadow(value), causes_.lookup(value)}; }

void FunctionTwin::keep(Value* value, const Residue& residue) {
  shadows_[value] = residue.value;
  if (residue.cause && residue.cause != residue.value)
    causes_[value] = residue.cause;
}

void FunctionTwin::move(Value* result, llvm::ArrayRef<Value*> operands,
                        llvm::function_ref<Value*(llvm::ArrayRef<Value*>)> emit) {
  llvm::SmallVector<Value*, 2> shadows, causes;
  bool have_causes = false;
  for (Value* operand : operands) {
    shadows.push_back(shadow(operand));
    Value* cause = causes_.lookup(operand);
    have_causes |= cause != nullptr;
    causes.push_back(cause ? cause : shadows.back());
  }
  shadows_[result] = emit(shadows);
  if (have_causes)
    causes_[result] = emit(causes);
}

Value* FunctionTwin::exact_shadow(Value* value) {
  if (!is_binary32(value->getType()) || llvm::isa<llvm::UndefValue>(value))
    return llvm::Constant::getNullValue(shadow_type(value->getType()));
  if (llvm::isa<llvm::Constant>(value)) { // folds; a constant expression is code at the entry
    Builder builder(&*function_.getEntryBlock().getFirstInsertionPt());
    return builder.CreateFPExt(value, shadow_type(value->getType()));
  }
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  Builder builder(instruction ? after(*instruction) : &*function_.getEntryBlock().getFirstInsertionPt());
  builder.SetCurrentDebugLocation({});
  return shadows_[value] = builder.CreateFPExt(value, shadow_type(value->getType()));
}

Value* FunctionTwin::wide(Builder& builder, Value* value) {
  return is_binary32(value->getType()) ? builder.CreateFPExt(value, shadow_type(value->getType())) : value;
}

Value* FunctionTwin::residue(Builder& builder, Value* value) {
  if (!is_binary32(value->getType()))
    return Rules(builder, 0).placed(known(value));
  if (llvm::isa<llvm::Constant>(value))
    return llvm::Constant::getNullValue(shadow_type(value->getType()));
  return builder.CreateFSub(shadow(value), wide(builder, value));
}

void FunctionTwin::visitPHINode(llvm::PHINode& phi) {
  if (!is_followed(phi.getType()))
    return;
  const auto twin = [&](bool of_cause) {
    auto* made = llvm::PHINode::Create(shadow_type(phi.getType()), phi.getNumIncomingValues(), "", phi.getIterator());
    phis_.push_back({&phi, made, of_cause});
    return made;
  };
  shadows_[&phi] = twin(false);
  if (!is_binary32(phi.getType()) && twin_.has_places())
    causes_[&phi] = twin(true);
}

void FunctionTwin::fill_phis() {
  for (const auto& [phi, twin, of_cause] : phis_)
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
      Value* value = phi->getIncomingValue(i);
      Value* cause = of_cause ? causes_.lookup(value) : nullptr;
      twin->addIncoming(cause ? cause : shadow(value), phi->getIncomingBlock(i));
    }
}

void FunctionTwin::visitSelectInst(llvm::SelectInst& select) {
  if (!is_followed(select.getType()))
    return;
  Builder builder(select.getNextNode());
  Value *a = select.getTrueValue(), *b = select.getFalseValue();
  auto* compare = llvm::dyn_cast<llvm::FCmpInst>(select.getCondition());
  if (compare && is_choice_of_operands(*compare) && !compare->isEquality()) {
    const bool greater = compare->getPredicate() & 2, less = compare->getPredicate() & 4; // LLVM's predicates are sets
    const bool first = compare->getOperand(0) == a;
    if (greater != less)
      return extreme(select, a, b, greater == first);
  }
  move(&select, {a, b}, [&](auto known) { return builder.CreateSelect(select.getCondition(), known[0], known[1]); });
}

void FunctionTwin::visitExtractElementInst(llvm::ExtractElementInst& extract) {
  if (!is_followed(extract.getType()))
    return;
  Builder builder(extract.getNextNode());
  move(&extract, {extract.getVectorOperand()},
       [&](auto known) { return builder.CreateExtractElement(known[0], extract.getIndexOperand()); });
}

void FunctionTwin::visitInsertElementInst(llvm::InsertElementInst& insert) {
  if (!is_followed(insert.getType()))
    return;
  Builder builder(insert.getNextNode());
  move(&insert, {insert.getOperand(0), insert.getOperand(1)},
       [&](auto known) { return builder.CreateInsertElement(known[0], known[1], insert.getOperand(2)); });
}

void FunctionTwin::visitShuffleVectorInst(llvm::ShuffleVectorInst& shuffle) {
  if (!is_followed(shuffle.getType()))
    return;
  Builder builder(shuffle.getNextNode());
  move(&shuffle, {shuffle.getOperand(0), shuffle.getOperand(1)},
       [&](auto known) { return builder.CreateShuffleVector(known[0], known[1], shuffle.getShuffleMask()); });
}

void FunctionTwin::visitFreezeInst(llvm::FreezeInst& freeze) {
  if (is_followed(freeze.getType()))
    keep(&freeze, known(freeze.getOperand(0)));
}

void FunctionTwin::visitExtractValueInst(llvm::ExtractValueInst& extract) {
  const auto known = aggregates_.find(extract.getAggregateOperand());
  if (!is_followed(extract.getType()) || known == aggregates_.end() || extract.getNumIndices() != 1)
    return;
  if (const unsigned index = extract.getIndices()[0]; index < known->second.size() && known->second[index])
    shadows_[&extract] = known->second[index];
}

void FunctionTwin::visitInsertValueInst(llvm::InsertValueInst& insert) {
  if (insert.getNumIndices() != 1)
    return;
  const auto known = aggregates_.find(insert.getAggregateOperand());
  Shadows elements = known == aggregates_.end() ? Shadows() : known->second;
  const unsigned index = insert.getIndices()[0];
  if (elements.size() <= index)
    elements.resize(index + 1, nullptr);
  Value* element = insert.getInsertedValueOperand();
  Builder builder(insert.getNextNode());
  elements[index] = !is_followed(element->getType())  ? nullptr
                    : is_binary32(element->getType()) ? shadow(element)
                                                      : residue(builder, element);
  aggregates_[&insert] = elements;
}

} // namespace faultline::run
