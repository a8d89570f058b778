// Loads and stores, and integers that carry floats between them.
#include "instrument/function_walk.h"

namespace faultline::instrument {

using llvm::Value;
using numeric::Format;

namespace {

bool is_weak_type(llvm::Type* type) { return type->isIntegerTy(32) || type->isIntegerTy(64); }

// Floats that an integer of a weak type can carry: one of them, or two floats.
bool are_carried(const Lanes& lanes) {
  return !lanes.empty() && lanes.size() <= 2 && lanes[0].format >= Format::binary32;
}

// Does this integer go to memory, or become a float, as it is?
bool carries_float(llvm::Instruction& instruction) {
  for (llvm::User* user : instruction.users()) {
    if (auto* store = llvm::dyn_cast<llvm::StoreInst>(user); store && store->getValueOperand() == &instruction)
      return true;
    if (llvm::isa<llvm::BitCastInst>(user) && has_lanes(user->getType()))
      return true;
  }
  return false;
}

} // namespace

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

void FunctionWalk::visitBitCastInst(llvm::BitCastInst& cast) {
  if (cast_from_weak(cast))
    return;
  Value* from = cast.getOperand(0);
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
  if (lanes.empty())
    return;
  Indices indices = indices_of(value, builder);
  for (size_t i = 0; i < lanes.size(); ++i)
    emitter_.store(builder, address(builder, pointer, lanes[i]), indices[i], lanes[i].format);
}

} // namespace faultline::instrument
