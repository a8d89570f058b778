// Loads and stores, and the shadow memory beside them (run/abi.h).
#include "run/function_twin.h"

#include <llvm/IR/IntrinsicInst.h>
#include <tuple>

namespace faultline::run {

using llvm::Value;

// An integer in between: a pointer that is derived from another one may not leave its object.
Value* FunctionTwin::cell(Builder& builder, Value* pointer, uint64_t distance) {
  llvm::Type* word = with_lanes(builder.getInt64Ty(), pointer->getType());
  Value* address = builder.CreatePtrToInt(pointer, word);
  return builder.CreateIntToPtr(builder.CreateAdd(address, llvm::ConstantInt::get(word, distance)), pointer->getType());
}

// The shadow of a loaded value: that of the cell if the cell belongs to the value.
Value* FunctionTwin::loaded(Builder& builder, llvm::Instruction& load, Value* residues, Value* copies) {
  llvm::Type* type = load.getType();
  Rules rules(builder, 0);
  Value *value = rules.lifted(&load), *residue = rules.lifted(residues);
  llvm::Type* bits = with_lanes(builder.getIntNTy(type->getScalarSizeInBits()), value->getType());
  Value* same =
      builder.CreateICmpEQ(builder.CreateBitCast(value, bits), builder.CreateBitCast(rules.lifted(copies), bits));
  Value* known =
      rules.lowered(builder.CreateSelect(same, residue, llvm::Constant::getNullValue(value->getType())), type);
  if (!is_binary32(type))
    return known;
  return builder.CreateFAdd(wide(builder, &load), wide(builder, known));
}

Value* FunctionTwin::stored_residue(Builder& builder, Value* value) {
  Value* known = residue(builder, value);
  return is_binary32(value->getType()) ? builder.CreateFPTrunc(known, value->getType()) : known;
}

// True if floats may be moved as bits: an integer that is loaded only to be stored, or to become a float.
bool FunctionTwin::moves_bits(const llvm::LoadInst& load) const {
  const llvm::Type* type = load.getType();
  if (!type->isIntOrIntVectorTy() || layout_.getTypeSizeInBits(load.getType()).getFixedValue() % 32 != 0)
    return false;
  return llvm::any_of(load.users(), [&](const llvm::User* user) {
    const auto* store = llvm::dyn_cast<llvm::StoreInst>(user);
    return (store && store->getValueOperand() == &load) || llvm::isa<llvm::BitCastInst>(user);
  });
}

void FunctionTwin::visitLoadInst(llvm::LoadInst& load) {
  if (load.getPointerAddressSpace() != 0)
    return;
  const bool moves = moves_bits(load);
  if (!moves && !is_followed(load.getType()))
    return;
  Builder builder(load.getNextNode());
  Value* pointer = load.getPointerOperand();
  Value* residues =
      builder.CreateAlignedLoad(load.getType(), cell(builder, pointer, residue_distance), load.getAlign());
  Value* copies = builder.CreateAlignedLoad(load.getType(), cell(builder, pointer, copy_distance), load.getAlign());
  if (moves)
    moved_[&load] = {residues, copies};
  else
    shadows_[&load] = loaded(builder, load, residues, copies);
}

void FunctionTwin::visitStoreInst(llvm::StoreInst& store) {
  if (store.getPointerAddressSpace() != 0)
    return;
  Builder builder(store.getNextNode());
  Value *value = store.getValueOperand(), *pointer = store.getPointerOperand();
  Value *residues = nullptr, *copies = nullptr;
  if (const auto known = moved_.find(value); known != moved_.end()) {
    std::tie(residues, copies) = known->second;
  } else if (is_followed(value->getType())) {
    residues = stored_residue(builder, value);
    copies = value;
  } else {
    if (!twin_.options().watched.empty())
      watch_store(store, store.getNextNode());
    return;
  }
  builder.CreateAlignedStore(residues, cell(builder, pointer, residue_distance), store.getAlign());
  builder.CreateAlignedStore(copies, cell(builder, pointer, copy_distance), store.getAlign());
  if (!twin_.options().watched.empty())
    watch_store(store, &*builder.GetInsertPoint());
}

// Vector code that loads and stores some lanes only: the same of both planes.
bool FunctionTwin::masked_access(llvm::IntrinsicInst& call) {
  using namespace llvm;
  const Intrinsic::ID id = call.getIntrinsicID();
  const auto plane = [&](Builder& builder, unsigned pointer, Value* value, uint64_t distance) -> Value* {
    SmallVector<Value*, 4> operands(call.args());
    operands[pointer] = cell(builder, operands[pointer], distance);
    if (value)
      operands[0] = value;
    else
      operands.back() = Constant::getNullValue(call.getType());
    auto* made = builder.CreateCall(call.getCalledFunction(), operands);
    return made;
  };
  if (id == Intrinsic::masked_load || id == Intrinsic::masked_gather) {
    if (!is_followed(call.getType()))
      return false;
    Builder builder(call.getNextNode());
    Value* residues = plane(builder, 0, nullptr, residue_distance);
    Value* known = loaded(builder, call, residues, plane(builder, 0, nullptr, copy_distance));
    shadows_[&call] = builder.CreateSelect(call.getArgOperand(2), known, shadow(call.getArgOperand(3)));
    return true;
  }
  if (id != Intrinsic::masked_store && id != Intrinsic::masked_scatter)
    return false;
  Value* value = call.getArgOperand(0);
  if (!is_followed(value->getType()))
    return false;
  Builder builder(call.getNextNode());
  plane(builder, 1, stored_residue(builder, value), residue_distance);
  plane(builder, 1, value, copy_distance);
  return true;
}

// A sum that threads add to. The shadow is written after the value: if another thread comes between, the copy is not
// the value's, and the value counts as exact.
void FunctionTwin::visitAtomicRMWInst(llvm::AtomicRMWInst& update) {
  using llvm::AtomicRMWInst;
  const bool adds = update.getOperation() == AtomicRMWInst::FAdd;
  if ((!adds && update.getOperation() != AtomicRMWInst::FSub) || !is_followed(update.getType()) ||
      update.getPointerAddressSpace() != 0)
    return;
  Builder builder(update.getNextNode());
  llvm::Type* type = update.getType();
  Value *pointer = update.getPointerOperand(), *change = update.getValOperand();
  Value* residues = builder.CreateAlignedLoad(type, cell(builder, pointer, residue_distance), update.getAlign());
  Value* copies = builder.CreateAlignedLoad(type, cell(builder, pointer, copy_distance), update.getAlign());
  Value* before = loaded(builder, update, residues, copies);
  shadows_[&update] = before;
  Value* after = adds ? builder.CreateFAdd(&update, change) : builder.CreateFSub(&update, change);
  Value* changed = nullptr;
  if (is_binary32(type)) {
    Value* exact = adds ? builder.CreateFAdd(before, shadow(change)) : builder.CreateFSub(before, shadow(change));
    changed = builder.CreateFPTrunc(builder.CreateFSub(exact, wide(builder, after)), type);
  } else {
    Rules rules(builder, twin_.place_of(update));
    changed = rules.placed(adds ? rules.sum(after, &update, change, {before}, known(change))
                                : rules.difference(after, &update, change, {before}, known(change)));
  }
  builder.CreateAlignedStore(changed, cell(builder, pointer, residue_distance), update.getAlign());
  builder.CreateAlignedStore(after, cell(builder, pointer, copy_distance), update.getAlign());
}

} // namespace faultline::run
