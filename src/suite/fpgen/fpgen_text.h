// The FPGen suite's result for people: a table of the benchmarks, and what it comes to.
#pragma once

#include "report/style.h"
#include "suite/fpgen/fpgen.h"

#include <string>

namespace faultline::suite {

std::string fpgen_text(const FpgenEvaluation& evaluation, const report::Style& style);

} // namespace faultline::suite
