// The GSL suite's result for a person: a line a function, then the figures over all of them beside those of others,
// then the ranks of the strategies.
#pragma once

#include "report/style.h"
#include "suite/gsl/gsl.h"

#include <string>

namespace faultline::suite {

std::string gsl_text(const GslEvaluation& evaluation, const report::Style& style);

} // namespace faultline::suite
