#include "solve/newton/sweep.h"

#include "ops/table.h"

#include <algorithm>

namespace faultline::solve {

using Slot = Compiled::Slot;

void Sweep::gradient(Slot a, Slot b, std::vector<double>& result) {
  const Slot last = std::max(a, b);
  std::fill(adjoints_.begin(), adjoints_.begin() + last + 1, 0);
  adjoints_[a] += 1;
  adjoints_[b] -= 1;
  result.assign(compiled_.variable_count(), 0);
  for (Slot slot = last + 1; slot-- > 0;)
    if (adjoints_[slot] != 0 && compiled_.at(slot).varies)
      spread(slot, result);
}

void Sweep::spread(Slot slot, std::vector<double>& result) {
  const Compiled::Instruction& code = compiled_.at(slot);
  const double adjoint = adjoints_[slot];
  const auto& operands = code.operands;
  if (code.kernel == Compiled::Kernel::variable) {
    result[compiled_.variable_of(slot)] += adjoint;
  } else if (code.sort.boolean) {
    return;
  } else if (code.operand_sort.boolean) { // a choice
    adjoints_[values_[operands[0]] != 0 ? operands[1] : operands[2]] += adjoint;
  } else if (ops::rounds_to_integer(code.op) || ops::is_to_int(code.op)) {
    adjoints_[operands[0]] += adjoint;
  } else {
    const auto value = [&](int i) { return i < code.operand_count ? values_[operands[i]] : 0; };
    const ops::Gradient partials = ops::partials(code.op, value(0), value(1), value(2), values_[slot]);
    for (int i = 0; i < code.operand_count; ++i)
      adjoints_[operands[i]] += adjoint * partials[i];
  }
}

} // namespace faultline::solve
