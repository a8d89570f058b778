// faultline explain as text: the result in one sentence; one line per operation of the run, as in Figure 1 of the ATOMU
// paper (operands, atomic conditions, result, error), with each operation's share of the output's error; and the
// findings at this input, as a hunt prints them.
#pragma once

#include "model/explanation.h"
#include "model/finding.h"
#include "report/text.h"

#include <string>

namespace faultline::report {

std::string explain_text(const model::Explanation& explanation, const SourceLine& source, const Style& style);

// faultline explain -o FILE.json: the findings at this input in the format of a hunt. The target has a member
// "explanation" with the result, right or wrong, and the operations (docs/json.md).
std::string explain_json(const model::Explanation& explanation, const model::Report& report);

// A diagnosis on the terminal: the cause of a finding and the path of its error.

// "tried on 1,000 inputs".
std::string tried_text(const model::Remedy& remedy);

// "write log1p(x) for log(1 + x): the relative error becomes 1.1e-16 (tried on 1,000 inputs)"; empty if there is no
// remedy.
std::string hint_text(const model::Diagnosis& diagnosis);

// "line 10 (100 %), line 11 (2e-03 %)": the lines with a share of the error, largest first.
std::string shares_text(const model::Diagnosis& diagnosis, const std::string& own_file);

// One line per step, "cos(1e-07) = 0.99 -> 4.0e-18", for a field with this label; empty if there is no chain.
std::string chain_text(const model::Finding& finding, const Style& style);

} // namespace faultline::report
