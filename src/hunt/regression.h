// Problems as regression tests: runs their inputs again and determines what a test may demand of the fixed code
// (judge/tasks/explainer.h). A problem becomes one test, from the most ordinary of its inputs that is suitable.
// Notes become no tests: a test of an ill-conditioned or inherent error would demand the impossible.
#pragma once

#include "finding/problem.h"
#include "finding/report.h"
#include "hunt/extents.h"

#include <string>
#include <vector>

namespace faultline::campaign {

// Returns the functions whose calls show the errors and warnings of the report, with a case for each of these problems.
// A case without a test has a reason; one reason is that the function no longer exists. Throws frontend::UserError if
// the sources no longer compile.
std::vector<finding::RegressionTarget> regression_targets(const finding::RankedReport& ranked, const Options& options);

// Returns the code that the targets call, as bitcode. Throws frontend::UserError.
std::string bitcode_for(const std::vector<finding::RegressionTarget>& targets, const Options& options);

} // namespace faultline::campaign
