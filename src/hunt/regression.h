// Problems as regression tests: their inputs are run again, and what a test may demand of the fixed code is worked out
// (judge/tasks/explainer.h). A problem becomes one test, of the most ordinary of its inputs that one can be made of.
// Notes become none: a test of what is ill-conditioned or inherent would demand the impossible.
#pragma once

#include "finding/problem.h"
#include "finding/report.h"
#include "hunt/extents.h"

#include <string>
#include <vector>

namespace faultline::campaign {

// The functions whose calls show the errors and warnings of the report, with a case for each of these problems; one
// that no test can be made of says why. Throws frontend::UserError if the sources do not compile any more; a function
// that is gone is a reason to leave out its cases.
std::vector<finding::RegressionTarget> regression_targets(const finding::RankedReport& ranked, const Options& options);

// The code that the targets call, as bitcode. Throws frontend::UserError.
std::string bitcode_for(const std::vector<finding::RegressionTarget>& targets, const Options& options);

} // namespace faultline::campaign
