// Values worth a try, for searches that want to see all of a program rather than much of one place: floats of all
// exponents, ordinary magnitudes, small integers and halves, the program's own constants and what lies beside them,
// and the ends of the format with their roots and logarithms, where products and exponentials leave it. Inputs are
// drawn from it independently, or tied to one another: equal, opposite, nearly equal, of the same magnitude.
#pragma once

#include "search/space.h"

#include <vector>

namespace faultline::search {

class ValuePool {
public:
  ValuePool(const Space& space, const runtime::SiteTable& table);

  exec::Input draw(numeric::Rng& rng) const;
  // Changes one input or a few of them.
  exec::Input mutate(const exec::Input& input, numeric::Rng& rng) const;

  long double draw(size_t dimension, numeric::Rng& rng) const;
  size_t free() const { return free_.size(); } // inputs that are not held

private:
  long double draw(size_t dimension, uint64_t kind, numeric::Rng& rng) const;
  long double any_value(const Dimension& dimension, uint64_t kind, numeric::Rng& rng) const;
  long double tied(const exec::Input& input, size_t dimension, numeric::Rng& rng) const;
  long double changed(const exec::Input& input, size_t dimension, numeric::Rng& rng) const;

  const Space& space_;
  std::vector<long double> constants_;
  std::vector<size_t> free_;
};

} // namespace faultline::search
