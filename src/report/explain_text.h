// faultline explain as text: one line for every operation of the run, as in Figure 1 of the ATOMU paper (operands,
// atomic conditions, result, error), with each operation's share of the output's error.
#pragma once

#include "campaign/hunt.h"
#include "report/style.h"

#include <string>

namespace faultline::report {

std::string explain_text(const campaign::Explanation& explanation, const Style& style);

} // namespace faultline::report
