// The FPSE suite's result for people: the programs next to the expected results, then both case studies.
#pragma once

#include "report/style.h"
#include "suite/fpse/fpse.h"

#include <string>

namespace faultline::suite {

std::string fpse_text(const FpseEvaluation& evaluation, const report::Style& style);

// The FPSE suite's result for scripts: one row per program and format, and two per path, with ULP-max and without.
std::string fpse_csv(const FpseEvaluation& evaluation);
std::string fpse_json(const FpseEvaluation& evaluation); // the same rows: {"suite": "fpse", "rows": [{...}, ...]}

} // namespace faultline::suite
