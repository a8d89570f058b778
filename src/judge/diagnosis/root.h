// Inputs next to a root of the exact result.
//
// A relative error is largest where the exact result is smallest: at the floats next to its root. The search gets near
// by residues, which know a result to some 64 bits, so that its best input may be far from the worst one in the
// neighbourhood. Here the exact result itself leads the way: secants along one input after the other, as few as it
// takes (they converge in about six steps), counted.
#pragma once

#include "exec/session.h"
#include "search/space.h"

#include <vector>

namespace faultline::judge {

// The inputs on both sides of a root near this one, or the nearest that were found, of one input cell after the other.
// `output`: which of the target's. At most so many lifted runs are made.
std::vector<exec::Input> next_to_root(exec::Session& session, const search::Space& space, const exec::Input& input,
                                      size_t output, int lifted_runs);

} // namespace faultline::judge
