// The fitness of the strategies that are guided by the error itself (LSGA, its control GA, S3FP, DEMC): the relative
// error of the worst judged output, against exact operations on the path of the run. FpDebug measured it for the LSGA
// paper, with a shadow value of 128 bits beside every other; here the tape's residues (tape/residue.h) tell it, to two
// digits and at a small fraction of the cost.
//
// It guides, it does not judge: it sees no branch that goes wrong. The oracle has the last word on what a strategy
// proposes.
#pragma once

#include "search/strategy.h"

namespace faultline::search {

struct Measurement {
  // 0 if the run did not return, has no finite output whose origin the tape knows, or is right within an ulp. The
  // largest double for an infinite error, so that logarithms need no special case.
  double error = 0;
  // The same, but errors within an ulp count as what they would be for a number of ordinary size: at most the rounding
  // of one operation. The papers' fitness has these; they tell exponents where the code does something from those
  // where it returns a constant. As relative errors they would not do: next to the smallest subnormal they are large.
  double fitness = 0;
};

// Runs the input: one evaluation, and the sweep charged as records. `residues` is room to work in.
Measurement measure(Quest& quest, const exec::Input& input, tape::Residues& residues);

} // namespace faultline::search
