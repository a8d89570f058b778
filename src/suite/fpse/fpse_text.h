// The FPSE suite's result for a person: the programs beside what their authors expect, then both case studies.
#pragma once

#include "report/style.h"
#include "suite/fpse/fpse.h"

#include <string>

namespace faultline::suite {

std::string fpse_text(const FpseEvaluation& evaluation, const report::Style& style);

// The FPSE suite's result for programs: one row for each program and format, and two for each path, with ULP-max and
// without.
std::string fpse_csv(const FpseEvaluation& evaluation);
std::string fpse_json(const FpseEvaluation& evaluation); // the same rows: {"suite": "fpse", "rows": [{...}, ...]}

} // namespace faultline::suite
