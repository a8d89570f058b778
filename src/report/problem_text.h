// Problems on a terminal: a block each, in the style of compiler diagnostics, or a line.
#pragma once

#include "finding/problem.h"
#include "report/style.h"
#include "report/text.h"

#include <string>

namespace faultline::report {

// Returns the place, the fault, and the source with the expression underlined; then the input to try, the reason,
// conditions, frequency, remedy, the worst input, and related findings.
std::string problem_block(const finding::Problem& problem, const SourceLine& source, const Style& style);

// Returns the place, the tier, the fault, and the input to try.
std::string problem_line(const finding::Problem& problem, const Style& style);

// Returns the fault without the place: "cancellation, no correct digit left".
std::string problem_title(const finding::Problem& problem);

} // namespace faultline::report
