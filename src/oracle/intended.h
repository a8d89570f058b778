// A second reading of what the code means, for results that lifted execution finds wrong.
//
// Lifted execution rounds nowhere, but where the code rounds by adding a large constant (tape/intended.h). That is
// right for formulas, and wrong for terms that measure a rounding (tape/compensation.h), which it makes zero, and for
// results that hang on the neighbour which a reduction of the argument took (tape/reduction.h). Here these roundings
// and choices are kept, and all else is exact. If the run's path is that of this reading too, a result that is right by
// it is right.
#pragma once

#include "oracle/judgement.h"

namespace faultline::oracle {

// Outputs that are nearer to this reading get its reference and error.
void allow_for_intended(Judgement& judgement, const frontend::Target& target, const tape::Tape& tape, double floor = 0,
                        long first = first_precision);

} // namespace faultline::oracle
