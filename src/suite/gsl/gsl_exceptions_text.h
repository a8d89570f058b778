// The suite of exceptions as text and as comma-separated values.
#pragma once

#include "report/style.h"
#include "suite/gsl/gsl_exceptions.h"

namespace faultline::suite {

// A table of all figures, one column a strategy, and who found what.
std::string gsl_exceptions_text(const GslExceptions& evaluation, const report::Style& style);

// One line for each function and strategy.
std::string gsl_exceptions_csv(const GslExceptions& evaluation);

} // namespace faultline::suite
