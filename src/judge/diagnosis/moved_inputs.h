// How far rounding the inputs alone moves the exact result, found by moving them: the code runs in high precision on
// the neighbours of each input. Derivatives along the run's path (explain/conditioning.h) cost less and see every
// input at once, but say nothing where exact arithmetic takes another path, or where the result jumps.
#pragma once

#include "exec/session.h"
#include "numeric/bigfloat.h"
#include "search/space.h"

#include <optional>

namespace faultline::judge {

// Relative to the reference, the exact result of this output; half of what a whole ulp makes, the worse direction of
// each input, all inputs together. Nothing if there are too many of them, or a neighbour has no result.
std::optional<double> moved_by_inputs(exec::Session& session, const search::Space& space, const exec::Input& input,
                                      size_t output, const numeric::BigFloat& reference, long precision);

} // namespace faultline::judge
