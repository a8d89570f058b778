// The test file of a report, tried out before it is written: it is compiled with the code that the findings are from
// and run, and a test that does not fail there is no test of anything, so it is left out. Where there is no compiler or
// no GoogleTest the file is written all the same, and says that nobody has tried it.
#pragma once

#include "finding/problem.h"
#include "hunt/options.h"
#include "report/tests/regression_test.h"

#include <string>

namespace faultline::cli {

struct RegressionFile {
  std::string text;
  std::string warning; // for the user; usually empty
};

// `options`: those of the hunt that made the report. Throws frontend::UserError.
RegressionFile regression_file(const finding::RankedReport& ranked, const campaign::Options& options,
                               report::TestForm form);

} // namespace faultline::cli
