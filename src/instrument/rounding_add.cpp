#include "instrument/rounding_add.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>
#include <optional>

namespace faultline::instrument {

using numeric::Format;

namespace {

// What may be added to round: a constant, or a choice between two (one for each sign of the other operand).
struct Shift {
  const llvm::ConstantFP* first = nullptr;
  const llvm::ConstantFP* second = nullptr;
  const llvm::Value* condition = nullptr; // null for one constant
};

std::optional<Shift> shift_of(const llvm::Value* value) {
  if (auto* constant = llvm::dyn_cast<llvm::ConstantFP>(value))
    return Shift{constant, constant, nullptr};
  auto* select = llvm::dyn_cast<llvm::SelectInst>(value);
  auto* first = select ? llvm::dyn_cast<llvm::ConstantFP>(select->getTrueValue()) : nullptr;
  auto* second = select ? llvm::dyn_cast<llvm::ConstantFP>(select->getFalseValue()) : nullptr;
  if (!first || !second)
    return std::nullopt;
  return Shift{first, second, select->getCondition()};
}

// A constant that rounds what is added to it: 1.5 * 2^k, or 2^k, whose unit in the last place is one, a little less (a
// multiple of a power of two is wanted) or a little more.
bool rounds(const llvm::ConstantFP& constant, Format format) {
  if (!constant.getValueAPF().isFiniteNonZero())
    return false;
  const llvm::APFloat magnitude = abs(constant.getValueAPF());
  const int exponent = ilogb(magnitude);
  const llvm::APFloat fraction = scalbn(magnitude, -exponent, llvm::APFloat::rmNearestTiesToEven);
  const int unit = exponent - (numeric::info(format).precision - 1); // log2 of the constant's ulp
  return (fraction.isExactlyValue(1.5) && unit >= -12 && unit <= 8) ||
         (fraction.isExactlyValue(1.0) && (unit == 0 || unit == 1));
}

bool undoes(const Shift& shift, const Shift& other, bool minus) {
  auto same = [minus](const llvm::ConstantFP& a, const llvm::ConstantFP& b) {
    llvm::APFloat value = b.getValueAPF();
    if (!minus)
      value.changeSign();
    return a.getValueAPF().bitwiseIsEqual(value);
  };
  return shift.condition == other.condition && same(*shift.first, *other.first) && same(*shift.second, *other.second);
}

} // namespace

bool is_rounding_add(const llvm::BinaryOperator& add, Format format) {
  for (unsigned side : {1u, 0u}) {
    std::optional<Shift> shift = shift_of(add.getOperand(side));
    if (!shift || !rounds(*shift->first, format) || !rounds(*shift->second, format) ||
        llvm::isa<llvm::Constant>(add.getOperand(1 - side)))
      continue;
    for (const llvm::User* user : add.users()) {
      if (llvm::isa<llvm::BitCastInst>(user) && user->getType()->isIntegerTy())
        return true;
      auto* back = llvm::dyn_cast<llvm::BinaryOperator>(user); // (x + C) - C, (x + C) + -C
      if (!back)
        continue;
      const bool minus = back->getOpcode() == llvm::Instruction::FSub && back->getOperand(0) == &add;
      const bool plus = back->getOpcode() == llvm::Instruction::FAdd;
      std::optional<Shift> other = shift_of(back->getOperand(back->getOperand(0) == &add ? 1 : 0));
      if ((minus || plus) && other && undoes(*shift, *other, minus))
        return true;
    }
  }
  return false;
}

} // namespace faultline::instrument
