// Is it certain that exact arithmetic makes a decision differently, or may the precision be too small to say? A pivot
// that is zero is a tiny number of either sign in any precision that rounds on the way to it. So a comparison is
// certain if the difference is larger than its error; or, in a very high precision, if both are so small that the
// difference must be zero, and the decision is that for zero.
#pragma once

#include "tape/path.h"

namespace faultline::oracle {

// Carries the tape out at this precision, up to the decision: until there, it is the lifted run's path too. Very long
// tapes are not carried out, and nothing is certain about them.
bool is_certain(const tape::Tape& tape, const tape::Divergence& flip, long precision);

} // namespace faultline::oracle
