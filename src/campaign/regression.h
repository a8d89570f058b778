// Findings as regression tests: every input is run again, and what a test may demand of the fixed code is worked out
// (judge/tasks/examination.h). What is judged ill-conditioned or inherent is left out, with the reason: a test of it
// would demand the impossible.
#pragma once

#include "campaign/options.h"
#include "finding/regression_case.h"
#include "finding/report.h"

#include <string>
#include <vector>

namespace faultline::campaign {

// One target for each of the report that has findings. Throws frontend::UserError if the sources do not compile any
// more; a function that is gone is a reason to leave out its cases.
std::vector<finding::RegressionTarget> regression_targets(const finding::Report& report, const Options& options);

// The code that the targets call, as bitcode. Throws frontend::UserError.
std::string bitcode_for(const std::vector<finding::RegressionTarget>& targets, const Options& options);

} // namespace faultline::campaign
