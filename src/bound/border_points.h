// Where to look for an error at a border: floats next to where runs begin to take another path.
#pragma once

#include "bound/known_paths.h"

namespace faultline::bound {

// Corners and middle of the box, and, where runs at opposite corners take different paths, the floats on both sides of
// a place between them where the path changes, with some of their neighbours. All are in the ranges of the inputs.
std::vector<std::vector<double>> points_near_border(const Box& box, const std::vector<InputDimension>& inputs,
                                                    const PathOf& path_of);

} // namespace faultline::bound
