// The GSL suite's result for scripts: one line for each benchmark and strategy.
//
// relative_error, seconds and evaluations are of the hunt with the strategy's own budget; of the comparison only for
// strategies that had no such hunt, which the column `budget` tells (own, or the number of evaluations). What the
// comparison says about a strategy stands in columns of its own. An infinite error is written as inf.
#pragma once

#include "suite/gsl/gsl.h"

#include <string>

namespace faultline::suite {

std::string gsl_csv(const GslEvaluation& evaluation);

} // namespace faultline::suite
