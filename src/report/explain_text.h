// faultline explain as text: the result in one sentence; one line for every operation of the run, as in Figure 1 of the
// ATOMU paper (operands, atomic conditions, result, error), with each operation's share of the output's error; and the
// findings at this input, in the words of a hunt.
#pragma once

#include "finding/explanation.h"
#include "report/excerpt.h"
#include "report/style.h"

#include <string>

namespace faultline::report {

std::string explain_text(const finding::Explanation& explanation, const SourceLine& source, const Style& style);

} // namespace faultline::report
