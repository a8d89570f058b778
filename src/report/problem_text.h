// Problems for a person at a terminal: a block each, in the style of compiler diagnostics, or a line.
#pragma once

#include "finding/problem.h"
#include "report/style.h"
#include "report/text.h"

#include <string>

namespace faultline::report {

// The place, what happened, the source with the expression underlined; then what to try, why, when, how often, what
// helps, the worst, and what else belongs to it.
std::string problem_block(const finding::Problem& problem, const SourceLine& source, const Style& style);

// The place, the tier, what happened, where to try it.
std::string problem_line(const finding::Problem& problem, const Style& style);

// What happened, without the place: "cancellation, no correct digit left".
std::string problem_title(const finding::Problem& problem);

} // namespace faultline::report
