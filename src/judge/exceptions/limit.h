// Limits at inputs where the exact result is undefined: sin(x) / x has one at 0, and x / |x| has none there. A NaN in
// the place of a limit is avoidable.
#pragma once

#include "exec/session.h"
#include "search/space.h"

#include <cstdint>
#include <vector>

namespace faultline::judge {

// True if the exact results of all these outputs tend to one finite value each as the input is approached, from all
// directions that were tried and where the results are numbers. An input that is at an end of its range is approached
// from within.
bool has_limit(exec::Session& session, const search::Space& space, const exec::Input& input,
               const std::vector<size_t>& outputs, uint64_t seed);

// True if the results stay undefined, or infinite, while all inputs but one move: at p = 0 in p * log(p), whatever the
// other probabilities are. False at corners such as x = y = 0 in x * y / (x + y), which callers may exclude.
bool is_at_one_value(exec::Session& session, const search::Space& space, const exec::Input& input,
                     const std::vector<size_t>& outputs, uint64_t seed);

} // namespace faultline::judge
