// The largest box around a point in which no error counts.
//
// A box is given by how far each of its sides is on the way from the point to the end of the range, from 0 to 1: along
// the number line, or, in a range of one sign that spans more than a factor of 64, along the logarithms. All sides grow
// together as far as branch and bound, with a fixed number of boxes, proves the whole to be safe; then each by itself,
// in the order of the inputs, the lower before the upper. So the box is safe, and none of its sides could be moved
// alone by much; that no other box is larger is not proved.
#pragma once

#include "bound/safety_map.h"

#include <optional>

namespace faultline::bound {

struct SafeBox {
  Box box;
  double bound = 0; // of what counts in it
};

// `point`: of each input its value, or nothing: it has all of its range. Nothing if not even the point is safe.
std::optional<SafeBox> safe_around(const std::vector<InputDimension>& inputs,
                                   const std::vector<std::optional<double>>& point, size_t outputs, double floor,
                                   const PathOf& path_of, const WhatCounts& counts,
                                   const std::function<bool()>& keep_going);

} // namespace faultline::bound
