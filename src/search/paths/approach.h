// A decision brought to go another way by trying: for values that no constraint speaks of, such as integers, and for
// questions that no solver answers. Steps of growing size in every input, kept if the decision comes closer to its turn
// on the same path.
#pragma once

#include "search/evaluator.h"
#include "search/space.h"

#include <optional>

namespace faultline::search {

// Runs from `start`, whose decision number `place` is to change while those before it stay. The input that does it.
std::optional<exec::Input> approach(Evaluator& evaluator, const Space& space, const exec::Input& start, size_t place,
                                    uint64_t most_runs);

} // namespace faultline::search
