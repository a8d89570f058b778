// The published figures that the FPGen suite prints beside its own, and the limits (benchmarks/fpgen/published).
#pragma once

#include "suite/gsl/published.h"

#include <map>
#include <string>

namespace faultline::suite {

struct FpgenFigures {
  double random = 0, s3fp = 0, klee_float = 0, fpgen = 0; // in two hours
  double limit_any = 0, limit_nonzero = 0;

  double best() const; // of the four
  double
  to_reach() const; // the best; where no error exceeds a few ulps, 2.5e-16: published against a coarser reference
};

using FpgenPublished = std::map<std::string, FpgenFigures>; // by benchmark

// The files as they were when faultline was built.
const Files& fpgen_files();

// Throws frontend::UserError: a file is missing or malformed, or the two name different benchmarks.
FpgenPublished fpgen_published(const Files& files);

} // namespace faultline::suite
