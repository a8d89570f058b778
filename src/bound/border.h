// The bound over a box in which a comparison may come out either way: at the border between two branches.
//
// A run and exact arithmetic may then be on different sides. If all paths that either of them can take in the box are
// known, the error is at most the largest of: the bound of each path by itself, and, of two paths that part where the
// comparison has an error, the largest difference of their results. Of a comparison that has no error (of inputs, say)
// both take the same side, and the difference says nothing.
//
// That all paths are known is shown, not sampled: wherever the decisions of a path are open over the box, there has to
// be another path that comes to the same decision by the same way, for each outcome that it can have.
#pragma once

#include "bound/box_bound.h"

#include <optional>
#include <span>
#include <vector>

namespace faultline::bound {

struct BorderBound {
  std::vector<OutputBound> outputs;
  std::vector<double> weights; // which input to split, as BoxBound::weights
  std::vector<const StraightCode*> paths;
};

// None: some path that an input of the box may take is not among these, or has no bound.
std::optional<BorderBound> border_bound(std::span<BoxBound* const> paths, const Box& box, double floor);

} // namespace faultline::bound
