// faultline explain -o FILE.json: the findings at this input as a hunt writes them (docs/json.md), and in the target,
// under "explanation", what was asked for: the result, right or wrong, and the operations (docs/json.md).
#pragma once

#include "finding/explanation.h"

#include <string>

namespace faultline::report {

std::string explain_json(const finding::Explanation& explanation, const finding::Report& report);

} // namespace faultline::report
