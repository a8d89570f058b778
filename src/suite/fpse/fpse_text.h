// The FPSE suite's result for a person: the programs beside what their authors expect, then both case studies.
#pragma once

#include "report/style.h"
#include "suite/fpse/fpse.h"

#include <string>

namespace faultline::suite {

std::string fpse_text(const FpseEvaluation& evaluation, const report::Style& style);

} // namespace faultline::suite
