#include "instrument/input_cells.h"

#include "frontend/program.h"

#include <llvm/IR/Operator.h>

namespace faultline::instrument {
namespace {

constexpr int farthest_caller = 5;

// What `of` finds in the arguments of all calls, if it is the same everywhere.
template <typename Answer, typename Question>
std::optional<Answer> agreed(const llvm::Argument& argument, Question of) {
  const llvm::Function& function = *argument.getParent();
  if (!function.hasLocalLinkage() || function.hasAddressTaken())
    return std::nullopt;
  std::optional<Answer> all;
  for (const llvm::User* user : function.users()) {
    auto* call = llvm::dyn_cast<llvm::CallBase>(user);
    if (!call || call->getCalledFunction() != &function)
      return std::nullopt;
    const std::optional<Answer> one = of(*call->getArgOperand(argument.getArgNo()));
    if (!one || (all && !(*all == *one)))
      return std::nullopt;
    all = one;
  }
  return all;
}

} // namespace

InputCells::InputCells(const llvm::Module& module, std::span<const frontend::Cell> inputs)
    : driver_(module.getFunction(frontend::Program::driver_symbol)), inputs_(inputs) {}

int InputCells::input(const llvm::Value& value, bool as_signed) const {
  const std::optional<Found> found = find(value, farthest_caller);
  return found && (found->is_signed == as_signed || found->spare) ? found->cell : -1;
}

std::optional<InputCells::Found> InputCells::find(const llvm::Value& value, int depth) const {
  if (depth == 0)
    return std::nullopt;
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&value))
    return loaded(*load, depth - 1);
  if (auto* argument = llvm::dyn_cast<llvm::Argument>(&value))
    return agreed<Found>(*argument, [&](const llvm::Value& passed) { return find(passed, depth - 1); });
  if (auto* freeze = llvm::dyn_cast<llvm::FreezeInst>(&value))
    return find(*freeze->getOperand(0), depth);
  const bool sign = llvm::isa<llvm::SExtInst>(value);
  auto* zero = llvm::dyn_cast<llvm::ZExtInst>(&value);
  if (!sign && !zero)
    return std::nullopt;
  std::optional<Found> found = find(*llvm::cast<llvm::CastInst>(value).getOperand(0), depth);
  if (found && (found->spare || found->is_signed == sign || (zero && zero->hasNonNeg())))
    return Found{found->cell, sign, !sign};
  return std::nullopt;
}

std::optional<InputCells::Found> InputCells::loaded(const llvm::LoadInst& load, int depth) const {
  const std::optional<uint64_t> offset = block_offset(*load.getPointerOperand(), depth);
  for (size_t i = 0; offset && i < inputs_.size(); ++i) {
    const frontend::Cell& cell = inputs_[i];
    if (cell.offset == *offset && !cell.type.floating && load.getType()->isIntegerTy(unsigned(cell.type.bits)))
      return Found{int(i), cell.type.is_signed, false};
  }
  return std::nullopt;
}

std::optional<uint64_t> InputCells::block_offset(const llvm::Value& pointer, int depth) const {
  if (!driver_ || depth == 0)
    return std::nullopt;
  const llvm::DataLayout& layout = driver_->getDataLayout();
  llvm::APInt offset(layout.getIndexTypeSizeInBits(pointer.getType()), 0);
  const llvm::Value* base = pointer.stripAndAccumulateConstantOffsets(layout, offset, true);
  auto* argument = llvm::dyn_cast<llvm::Argument>(base);
  if (!argument)
    return std::nullopt;
  if (argument->getParent() == driver_)
    return offset.getZExtValue();
  if (!argument->onlyReadsMemory()) // what is there may not be the input any more
    return std::nullopt;
  auto start = agreed<uint64_t>(*argument, [&](const llvm::Value& passed) { return block_offset(passed, depth - 1); });
  return start ? std::optional(*start + offset.getZExtValue()) : std::nullopt;
}

} // namespace faultline::instrument
