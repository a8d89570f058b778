// The FPGen suite's result for scripts: one line for each benchmark and strategy.
//
// relative_error is by FPGen's measure (suite/fpgen.h), relative_error_2s that of the hunt with a budget of two
// seconds. When the whole suite is run, the six -m have lines too: the run of their twin, which the column run_of
// names. An infinite error is written as inf.
#pragma once

#include "suite/fpgen/fpgen.h"

#include <string>

namespace faultline::suite {

std::string fpgen_csv(const FpgenEvaluation& evaluation);

} // namespace faultline::suite
