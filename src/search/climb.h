// A climb to the largest error, however small, in the measure that the user chose.
//
// The other searches look for errors that stand out: they bracket cancellations and treat a result that is right to an
// ulp as right. The errors of well-behaved code are a few ulps everywhere. They are largest where several roundings
// happen to point the same way, and that changes from float to float. So this search climbs on the error itself, by
// residues (tape/residue.h): from several of the best points at once, by steps of all sizes in units in the last place,
// with samples from the whole range in between. A range with no more floats than evaluations left is tried completely.
#pragma once

#include "search/strategy.h"

namespace faultline::search {

// Uses the rest of the evaluator's allowance. The scores are errors in the quest's measure.
std::vector<Candidate> climb(Quest& quest);

} // namespace faultline::search
