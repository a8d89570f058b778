#include "instrument/function_walk.h"

#include "runtime/abi.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>

namespace faultline::instrument {

using llvm::Value;
using numeric::Format;

namespace {

using llvm::Instruction;

// Adds the comparisons that a condition combines: a && b is one instruction or several, or a phi of earlier blocks.
void add_comparisons(const Value* condition, int depth, llvm::DenseSet<const Instruction*>& found) {
  constexpr int deepest = 6;
  const auto* instruction = llvm::dyn_cast<Instruction>(condition);
  if (!instruction || depth > deepest)
    return;
  if (llvm::isa<llvm::FCmpInst>(instruction)) {
    found.insert(instruction);
    return;
  }
  const bool combines =
      llvm::isa<llvm::PHINode, llvm::SelectInst, llvm::FreezeInst, llvm::CastInst, llvm::ICmpInst>(instruction) ||
      (llvm::isa<llvm::BinaryOperator>(instruction) && instruction->getType()->isIntegerTy(1));
  if (!combines)
    return;
  for (const Value* operand : instruction->operands())
    if (operand->getType()->isIntegerTy() && operand->getType()->getIntegerBitWidth() <= 8 && operand != instruction)
      add_comparisons(operand, depth + 1, found);
}

// True if `user` is on the short chain of calls and casts that leads to `value`.
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

// Returns the successor that the integer selects: 0 for the default, else the number of the case.
Value* taken_case(llvm::IRBuilder<>& builder, llvm::SwitchInst& branch) {
  Value* taken = builder.getInt64(0);
  for (const auto& one : branch.cases()) {
    Value* here = builder.CreateICmpEQ(branch.getCondition(), one.getCaseValue());
    taken = builder.CreateSelect(here, builder.getInt64(one.getCaseIndex() + 1), taken);
  }
  return taken;
}

bool is_weak_type(llvm::Type* type) { return type->isIntegerTy(32) || type->isIntegerTy(64); }

// True if an integer of a weak type can carry the floats: one, or two single ones.
bool are_carried(const Lanes& lanes) {
  return !lanes.empty() && lanes.size() <= 2 && lanes[0].format >= Format::binary32;
}

// True if this integer is stored or becomes a float without change.
bool carries_float(llvm::Instruction& instruction) {
  for (llvm::User* user : instruction.users()) {
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store && store->getValueOperand() == &instruction)
      return true;
    if (llvm::isa<llvm::BitCastInst>(user) && has_lanes(user->getType()))
      return true;
  }
  return false;
}

// Returns the comparisons of floats that determine a branch out of a loop, alone or combined with other conditions:
// `while (fabs(dx) > 1e-15 * fabs(x))`, `if (term < eps) break;`.
llvm::DenseSet<const Instruction*> loop_exits(llvm::Function& function) {
  const llvm::DominatorTree dominators(function);
  llvm::LoopInfo loops(dominators);
  llvm::DenseSet<const Instruction*> found;
  for (const llvm::Loop* loop : loops.getLoopsInPreorder()) {
    llvm::SmallVector<llvm::BasicBlock*, 4> exiting;
    loop->getExitingBlocks(exiting);
    for (const llvm::BasicBlock* block : exiting)
      if (auto* branch = llvm::dyn_cast<llvm::BranchInst>(block->getTerminator()); branch && branch->isConditional())
        add_comparisons(branch->getCondition(), 0, found);
  }
  return found;
}

} // namespace

namespace abi = runtime;

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

// Returns the insertion point of code that uses an instruction's result.
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

// Returns the indices of a value, one per lane. The builder must be at their point of use.
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

// Replaces the instruction by `value` in the program. The native instruction remains only if `value` is computed from
// it.
void FunctionWalk::replace(llvm::Instruction& instruction, Value* value) {
  if (value == &instruction)
    return;
  instruction.replaceUsesWithIf(value, [&](llvm::Use& use) { return !made_from(value, use.getUser()); });
  if (!instruction.mayHaveSideEffects())
    replaced_.push_back(&instruction);
}

void FunctionWalk::visitInstruction(llvm::Instruction& instruction) {
  if (decisions_ && decisions_->is_of_selections(instruction))
    return;
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
  for (size_t i = 0; i < phis_of_bits_.size(); ++i) { // more are added
    auto [phi, of_phi] = phis_of_bits_[i];
    for (unsigned incoming = 0; incoming < phi->getNumIncomingValues(); ++incoming)
      of_phi->addIncoming(bits_of(*phi->getIncomingValue(incoming)), phi->getIncomingBlock(incoming));
  }
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
  if (auto selection = decisions_ ? decisions_->selection(select) : std::nullopt)
    return record(select, *selection);
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

// Structs and vectors of floats.

void FunctionWalk::visitExtractValueInst(llvm::ExtractValueInst& extract) {
  const unsigned lanes = lane_count(extract.getType());
  if (lanes == 0 || !has_lanes(extract.getAggregateOperand()->getType()))
    return visitInstruction(extract);
  Builder builder(after(extract));
  Indices all = indices_of(extract.getAggregateOperand(), builder);
  const unsigned first = lanes_before(extract.getAggregateOperand()->getType(), extract.getIndices());
  indices_[&extract] = Indices(all.begin() + first, all.begin() + first + lanes);
}

void FunctionWalk::visitInsertValueInst(llvm::InsertValueInst& insert) {
  if (!has_lanes(insert.getType()))
    return;
  Builder builder(after(insert));
  Indices all = indices_of(insert.getAggregateOperand(), builder);
  if (has_lanes(insert.getInsertedValueOperand()->getType())) {
    Indices part = indices_of(insert.getInsertedValueOperand(), builder);
    std::copy(part.begin(), part.end(), all.begin() + lanes_before(insert.getType(), insert.getIndices()));
  }
  indices_[&insert] = all;
}

void FunctionWalk::visitExtractElementInst(llvm::ExtractElementInst& extract) {
  auto* position = llvm::dyn_cast<llvm::ConstantInt>(extract.getIndexOperand());
  if (!position || position->getZExtValue() >= lane_count(extract.getVectorOperandType()))
    return visitInstruction(extract);
  Builder builder(after(extract));
  indices_[&extract] = {indices_of(extract.getVectorOperand(), builder)[position->getZExtValue()]};
}

void FunctionWalk::visitInsertElementInst(llvm::InsertElementInst& insert) {
  auto* position = llvm::dyn_cast<llvm::ConstantInt>(insert.getOperand(2));
  if (!position || position->getZExtValue() >= lane_count(insert.getType()))
    return visitInstruction(insert);
  Builder builder(after(insert));
  Indices all = indices_of(insert.getOperand(0), builder);
  all[position->getZExtValue()] = indices_of(insert.getOperand(1), builder)[0];
  indices_[&insert] = all;
}

void FunctionWalk::visitShuffleVectorInst(llvm::ShuffleVectorInst& shuffle) {
  const unsigned width = lane_count(shuffle.getOperand(0)->getType());
  if (!has_lanes(shuffle.getType()) || width == 0)
    return visitInstruction(shuffle);
  Builder builder(after(shuffle));
  Indices first = indices_of(shuffle.getOperand(0), builder), second = indices_of(shuffle.getOperand(1), builder);
  Indices all;
  for (int element : shuffle.getShuffleMask())
    all.push_back(element < 0                 ? first[0]
                  : unsigned(element) < width ? first[unsigned(element)]
                                              : second[unsigned(element) - width]);
  indices_[&shuffle] = all;
}

// Records of integer conditions and origins of leaves, only in the mode with decisions.

Value* FunctionWalk::leaf(Builder& builder, Value* value, Format format, const Origin& origin) {
  return emitter_.leaf(builder, value, format, sites_.leaf(format, origin));
}

// Returns the tape operand for an integer: a constant of the program, or the site of its leaf; 0 if none.
uint32_t FunctionWalk::source(const DecisionOperand& integer) {
  if (!integer.value)
    return 0;
  if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(integer.value)) {
    llvm::APFloat number(llvm::APFloat::IEEEdouble());
    number.convertFromAPInt(constant->getValue(), integer.is_signed, llvm::APFloat::rmNearestTiesToEven);
    return sites_.constant(number, Format::binary64);
  }
  return sites_.leaf(Format::binary64, integer.origin);
}

Value* FunctionWalk::operand(Builder& builder, const DecisionOperand& integer, uint32_t source) {
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
  // Sites and constants come first, so that both versions of the program have the same.
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

// Records conditions available at the start of a block: its phis and, in the first block, the function's arguments.
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

// Loads and stores, and integers that carry floats between them.

bool FunctionWalk::cast_from_weak(llvm::BitCastInst& cast) {
  auto found = weak_.find(cast.getOperand(0));
  Lanes lanes = lanes_of(cast.getType(), layout_);
  if (found == weak_.end() || !are_carried(lanes))
    return false;
  const Weak weak = found->second;
  Builder builder(after(cast));
  Indices indices;
  for (const Lane& lane : lanes) {
    Value* candidate = lane.offset == 0 ? weak.first : weak.second;
    indices.push_back(emitter_.verified(builder, candidate, extract(builder, &cast, lane), lane.format));
  }
  indices_[&cast] = indices;
  return true;
}

namespace {

// Returns the number of low bits of an integer that may be digits of a float; those above are its sign and exponent.
unsigned digits_in(const Value& integer) {
  const unsigned width = integer.getType()->getScalarSizeInBits();
  if (auto* low = llvm::dyn_cast<llvm::TruncInst>(&integer);
      low && !llvm::isa<llvm::BinaryOperator>(low->getOperand(0)) && low->getSrcTy()->getScalarSizeInBits() >= 64)
    return width;
  return width == 64 ? 52 : width == 32 ? 20 : std::min(width, 64U); // 20: of the upper half of a double
}

// True for an integer that holds none of the digits that its operand may hold.
bool drops_digits(const llvm::BinaryOperator& operation) {
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operation.getOperand(1));
  if (!constant)
    return false;
  const unsigned digits = digits_in(*operation.getOperand(0));
  if (operation.getOpcode() == llvm::Instruction::And)
    return constant->getValue().countr_zero() >= digits;
  return (operation.getOpcode() == llvm::Instruction::LShr || operation.getOpcode() == llvm::Instruction::AShr) &&
         constant->getValue().uge(digits);
}

bool is_none(const Value* bits) {
  auto* constant = llvm::dyn_cast<llvm::ConstantInt>(bits);
  return constant && constant->isZero();
}

} // namespace

// True for an integer that may contain digits of a float.
bool FunctionWalk::can_have_bits(const llvm::Type* type) const {
  return emitter_.follows_bits() && type->isIntegerTy() && type->getIntegerBitWidth() >= 8;
}

Value* FunctionWalk::merged_bits(Value* first, Value* second, Builder& builder) {
  return is_none(second) || first == second ? first
         : is_none(first)                   ? second
                                            : emitter_.merged_bits(builder, first, second);
}

// Returns the index of the float whose bits an instruction has in its integer result; 0 if there is none.
Value* FunctionWalk::bits_of_result(llvm::Instruction& instruction) {
  Builder builder(after(instruction));
  Value* none = builder.getInt32(0);
  if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
    return drops_digits(*operation)
               ? none
               : merged_bits(bits_of(*operation->getOperand(0)), bits_of(*operation->getOperand(1)), builder);
  if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction))
    return builder.CreateSelect(select->getCondition(), bits_of(*select->getTrueValue()),
                                bits_of(*select->getFalseValue()));
  if (llvm::isa<llvm::LoadInst>(instruction))
    return emitter_.bits_at(builder, instruction.getOperand(0));
  if (auto* extremum = llvm::dyn_cast<llvm::MinMaxIntrinsic>(&instruction))
    return builder.CreateSelect(builder.CreateICmpEQ(extremum, extremum->getLHS()), bits_of(*extremum->getLHS()),
                                bits_of(*extremum->getRHS()));
  if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
    Value* bits = none;
    for (Value* argument : call->args()) // of a rotation, of swapped bytes, ...
      bits = merged_bits(bits, bits_of(*argument), builder);
    return bits;
  }
  if (!llvm::isa<llvm::CastInst>(instruction) && !llvm::isa<llvm::FreezeInst>(instruction))
    return none;
  Value* from = instruction.getOperand(0);
  if (!llvm::isa<llvm::BitCastInst>(instruction) || lane_count(from->getType()) == 0)
    return bits_of(*from);
  Value* bits = none;
  if (!llvm::isa<llvm::Constant>(from)) // a constant would be one of this version of the program only
    for (Value* index : indices_of(from, builder))
      bits = merged_bits(bits, index, builder);
  return bits;
}

Value* FunctionWalk::bits_of(Value& integer) {
  llvm::Type* index = llvm::Type::getInt32Ty(integer.getContext());
  if (auto known = bits_.find(&integer); known != bits_.end())
    return known->second;
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(&integer);
  if (!instruction || !can_have_bits(integer.getType()))
    return llvm::ConstantInt::get(index, 0);
  Value* bits = nullptr;
  if (auto* phi = llvm::dyn_cast<llvm::PHINode>(instruction)) {
    auto* of_phi = Builder(phi).CreatePHI(index, phi->getNumIncomingValues());
    phis_of_bits_.emplace_back(phi, of_phi);
    bits = of_phi;
  } else {
    bits = bits_of_result(*instruction);
  }
  bits_[&integer] = bits;
  return bits;
}

// Follows the bits from an integer to the floats that an instruction makes of it.
void FunctionWalk::floats_from(Value& integer, llvm::Instruction& made) {
  Value* bits = bits_of(integer);
  Builder builder(after(made));
  builder.SetCurrentDebugLocation(made.getDebugLoc());
  Indices indices;
  for (const Lane& lane : lanes_of(made.getType(), layout_)) {
    sites_.leaf(lane.format, origin(made)); // as in the other version of the program
    indices.push_back(emitter_.from_bits(builder, extract(builder, &made, lane), lane.format, bits));
  }
  indices_[&made] = indices;
}

void FunctionWalk::visitCastInst(llvm::CastInst& cast) {
  const bool converts = llvm::isa<llvm::SIToFPInst>(cast) || llvm::isa<llvm::UIToFPInst>(cast);
  if (converts && can_have_bits(cast.getSrcTy()) && has_lanes(cast.getType()) && !is_none(bits_of(*cast.getOperand(0))))
    return floats_from(*cast.getOperand(0), cast);
  visitInstruction(cast);
}

void FunctionWalk::visitBitCastInst(llvm::BitCastInst& cast) {
  if (cast_from_weak(cast))
    return;
  Value* from = cast.getOperand(0);
  if (can_have_bits(from->getType()) && has_lanes(cast.getType()))
    return floats_from(*from, cast);
  if (can_have_bits(cast.getType()) && has_lanes(from->getType()) && !llvm::isa<llvm::Constant>(from) &&
      !carries_float(cast)) {
    Builder builder(after(cast));
    builder.SetCurrentDebugLocation(cast.getDebugLoc());
    for (Value* index : indices_of(from, builder))
      emitter_.read_bits(builder, index);
  }
  const Lanes lanes = lanes_of(from->getType(), layout_);
  if (is_weak_type(cast.getType()) && are_carried(lanes) && carries_float(cast)) {
    Builder builder(after(cast));
    Indices indices = indices_of(from, builder);
    weak_[&cast] = {indices[0], cast.getType()->isIntegerTy(32) ? nullptr
                                : lanes.size() == 2             ? indices[1]
                                                                : builder.getInt32(0)};
    return;
  }
  visitInstruction(cast);
}

FunctionWalk::Weak FunctionWalk::load_weak(Builder& builder, llvm::LoadInst& load) {
  Value* pointer = load.getPointerOperand();
  Weak weak{emitter_.load_weak(builder, pointer, &load), nullptr};
  if (load.getType()->isIntegerTy(64)) {
    Value* upper = builder.CreateTrunc(builder.CreateLShr(&load, 32), builder.getInt32Ty());
    weak.second =
        emitter_.load_weak(builder, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, 4), upper);
  }
  return weak;
}

void FunctionWalk::visitLoadInst(llvm::LoadInst& load) {
  Builder builder(after(load));
  if (is_weak_type(load.getType()) && carries_float(load)) {
    weak_[&load] = load_weak(builder, load);
    return;
  }
  if (can_have_bits(load.getType()) && !load.getType()->isIntegerTy(8)) { // bytes are texts
    builder.SetCurrentDebugLocation(load.getDebugLoc());
    emitter_.read_bits(builder, bits_of(load));
  }
  Indices indices;
  for (const Lane& lane : lanes_of(load.getType(), layout_)) {
    Value* value = extract(builder, &load, lane);
    indices.push_back(origin(load).determined ? leaf(builder, value, lane.format, origin(load))
                                              : emitter_.load(builder, address(builder, load.getPointerOperand(), lane),
                                                              value, lane.format));
  }
  if (!indices.empty())
    indices_[&load] = indices;
}

void FunctionWalk::visitStoreInst(llvm::StoreInst& store) {
  Builder builder(after(store));
  Value* value = store.getValueOperand();
  Value* pointer = store.getPointerOperand();
  if (auto found = weak_.find(value); found != weak_.end()) {
    const Weak weak = found->second;
    emitter_.store(builder, pointer, weak.first, Format::binary32);
    if (weak.second)
      emitter_.store(builder, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), pointer, 4), weak.second,
                     Format::binary32);
    return;
  }
  Lanes lanes = lanes_of(value->getType(), layout_);
  if (can_have_bits(value->getType()))
    emitter_.store_bits(builder, pointer, layout_.getTypeStoreSize(value->getType()), bits_of(*value));
  if (lanes.empty()) {
    if (decisions_ && emitter_.records_decisions())
      clear_overwritten(builder, pointer, layout_.getTypeStoreSize(value->getType()));
    return;
  }
  Indices indices = indices_of(value, builder);
  for (size_t i = 0; i < lanes.size(); ++i)
    emitter_.store(builder, address(builder, pointer, lanes[i]), indices[i], lanes[i].format);
}

} // namespace faultline::instrument
