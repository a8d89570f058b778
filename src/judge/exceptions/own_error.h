// Whose error is it? A run with an exception may be wrong for another reason: the infinity of an overflow that is
// divided into zero is gone, and what is left of it may be nothing beside what the run lost elsewhere.
#pragma once

#include "oracle/judgement.h"
#include "tape/tape.h"

namespace faultline::judge {

// Does the largest part of the output's error, on the path of the run, come by the exception of this record, or by the
// operation that ended what it made (0: nobody did)? Yes, if the run is too long to tell.
bool is_own_error(const tape::Tape& tape, const oracle::Judgement& judgement, size_t output, uint32_t exception,
                  uint32_t swallower);

} // namespace faultline::judge
