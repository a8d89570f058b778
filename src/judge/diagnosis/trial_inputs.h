// The inputs that a remedy is tried on: ordinary ones, as people use the code on, round numbers, the whole of what is
// searched, the neighbourhood of inputs that show the problem, and the borders between inputs of two sorts. Drawn from
// the seed alone.
#pragma once

#include "numeric/random.h"
#include "search/space.h"

#include <functional>
#include <vector>

namespace faultline::judge {

class TrialInputs {
public:
  // `everyday` is a part of `space`.
  TrialInputs(const search::Space& space, const search::Space& everyday, numeric::Rng rng)
      : space_(space), everyday_(everyday), rng_(rng) {}

  // Of all sorts, mixed, so that the first few are a picture of all. `shown`: inputs that show the problem.
  std::vector<exec::Input> mixed(const std::vector<exec::Input>& shown, size_t count);
  // Anything from another last digit to a thousand times as much; one of its numbers, or all.
  exec::Input near(const exec::Input& input);
  exec::Input ordinary();
  exec::Input any() { return rng_.coin() ? moderate() : space_.sample_floats(rng_); }
  // Two neighbours between the two inputs, one of each sort; they are of different sorts themselves.
  std::vector<exec::Input> border(const exec::Input& a, const exec::Input& b,
                                  const std::function<bool(const exec::Input&)>& is_like_a) const;
  numeric::Rng& rng() { return rng_; }

private:
  exec::Input within(exec::Input input) const; // of the space
  exec::Input round_numbers(const exec::Input& shown);
  exec::Input moderate();
  long double moved(const search::Dimension& dimension, long double value);

  const search::Space& space_;
  const search::Space& everyday_;
  numeric::Rng rng_;
};

} // namespace faultline::judge
