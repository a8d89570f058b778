// An input that is easier to read and to type than another, and shows the same thing: an everyday one if there is any,
// with the fewest inputs that are neither 0 nor 1, no signs, few decimal digits.
//
// Every attempt is made by whoever asks, and counted: how many there are does not depend on the clock, so that the same
// hunt has the same inputs.
#pragma once

#include "search/space.h"

#include <functional>

namespace faultline::judge {

// How far to go: to the simplest input, or only to one that people use, which takes a few attempts.
enum class Simplest : uint8_t { wanted, everyday_will_do };

class Simplifier {
public:
  // Does this input show it?
  using Shows = std::function<bool(const exec::Input&)>;

  Simplifier(const search::Space& space, const search::Space& everyday) : space_(space), everyday_(everyday) {}

  // The simplest input that was found in so many attempts; the same one, if there is none.
  exec::Input simplest(exec::Input input, uint64_t attempts, const Shows& shows, Simplest simplest = Simplest::wanted);

private:
  bool shows(const exec::Input& candidate);
  void to_everyday(exec::Input& input);
  void to_defaults(exec::Input& input);
  void to_positive(exec::Input& input);
  void to_few_digits(exec::Input& input);
  bool try_value(exec::Input& input, size_t cell, long double value);
  bool is_free(size_t cell) const { return !space_.dimensions[cell].held(); }

  const search::Space& space_;
  const search::Space& everyday_; // the part of it
  const Shows* shows_ = nullptr;
  uint64_t attempts_ = 0; // left
  bool stay_everyday_ = false;
};

} // namespace faultline::judge
