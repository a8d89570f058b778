#include "judge/extents/growth.h"

#include <algorithm>

namespace faultline::judge {
namespace {

// Steps to the very element that was touched, before they are doubled: what loops over some ten elements is known
// exactly then. A guess.
constexpr int exact_steps = 64;

class Growing {
public:
  Growing(std::vector<uint64_t> extents, uint64_t most, const CallWith& call)
      : most_(most), call_(call), steps_(extents.size(), 0), known_(extents) {
    growth_.extents = std::move(extents);
  }

  Growth run() {
    while (beyond())
      if (!step())
        return growth_;
    for (size_t i = 0; i < steps_.size(); ++i)
      if (steps_[i] > exact_steps)
        shrink(i);
    return growth_;
  }

private:
  bool beyond() {
    last_ = call_(growth_.extents);
    growth_.outcome = last_.outcome;
    return last_.outcome == exec::Outcome::overrun;
  }

  bool ends(Growth::End end, size_t array) {
    growth_.end = end;
    growth_.array = array;
    return false;
  }

  bool step() {
    if (!last_.beyond)
      return ends(Growth::End::elsewhere, 0);
    const auto [array, element] = *last_.beyond;
    if (element < 0)
      return ends(Growth::End::before, array);
    const uint64_t needed = uint64_t(element) + 1;
    uint64_t& extent = growth_.extents[array];
    if (needed > most_)
      return ends(Growth::End::endless, array);
    known_[array] = needed;
    extent = ++steps_[array] <= exact_steps ? needed : std::min(most_, std::max(needed, 2 * extent));
    return true;
  }

  // What doubling gave in excess is taken back.
  void shrink(size_t array) {
    uint64_t high = growth_.extents[array];
    for (uint64_t low = known_[array]; low < high;) {
      const uint64_t middle = low + (high - low) / 2;
      growth_.extents[array] = middle;
      if (beyond() && last_.beyond && last_.beyond->array == array)
        low = std::max(middle, uint64_t(std::max<int64_t>(last_.beyond->element, 0))) + 1;
      else
        high = middle;
    }
    growth_.extents[array] = high;
    growth_.outcome = call_(growth_.extents).outcome;
  }

  uint64_t most_;
  const CallWith& call_;
  Growth growth_;
  exec::ProbedCall last_;
  std::vector<int> steps_;      // that were made, by array
  std::vector<uint64_t> known_; // to be touched
};

} // namespace

Growth grow(std::vector<uint64_t> extents, uint64_t most, const CallWith& call) {
  return Growing(std::move(extents), most, call).run();
}

} // namespace faultline::judge
