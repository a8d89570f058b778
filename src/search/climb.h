// A climb to the largest error there is, in the measure that the user counts in, however small it is.
//
// The other searches look for errors that stand out: they bracket cancellations, and take what is right to an ulp for
// right. The errors of code that is well-behaved are a few ulps everywhere; where they are largest, several roundings
// happen to point the same way, and that changes from float to float. So the error itself is climbed on, by residues
// (tape/residue.h): from several of the best points at once, by steps of all sizes in units in the last place, with
// samples from the whole range in between. A range of no more floats than there are evaluations left is tried in full.
#pragma once

#include "search/strategy.h"

namespace faultline::search {

// Uses up what is left of the evaluator's allowance. The scores are errors in the quest's measure.
std::vector<Candidate> climb(Quest& quest);

} // namespace faultline::search
