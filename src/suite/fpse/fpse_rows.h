// The FPSE suite's result for programs: one row for each program and format, and two for each path, with ULP-max and
// without.
#pragma once

#include "suite/fpse/fpse.h"

#include <string>

namespace faultline::suite {

std::string fpse_csv(const FpseEvaluation& evaluation);
std::string fpse_json(const FpseEvaluation& evaluation); // the same rows: {"suite": "fpse", "rows": [{...}, ...]}

} // namespace faultline::suite
