// Problems on a terminal: a block each, in the style of compiler diagnostics, or a line.
#pragma once

#include "model/finding.h"
#include "model/problem.h"
#include "report/text.h"

#include <string>

namespace faultline::report {

// Returns the place, the fault, and the source with the expression underlined; then the input to try, the reason,
// conditions, frequency, remedy, the worst input, and related findings. `terminal`: its columns.
std::string problem_block(const model::Problem& problem, const SourceLine& source, const Style& style,
                          std::optional<size_t> terminal = {});

// Returns the place, the tier, the fault, and the input to try.
std::string problem_line(const model::Problem& problem, const Style& style, std::optional<size_t> columns = {});

// Returns the function and what happens there: "quadratic_root: -b + root cancels, no correct digit left".
std::string problem_title(const model::Problem& problem);

// A problem in a few short sentences, for code scanning services and CI servers, which show text without layout.
// Returns "quadratic_root: -b_ + root cancels, no correct digit left." followed by one line each for the input to try,
// the reason, conditions and frequency, and the remedy, if known.
std::string problem_message(const model::Problem& problem);

// Restricts the problem to one function: its representative is the function's own input, and its tier that of the
// function's findings, which are among the problem's.
model::Problem problem_in(const model::Problem& problem, const model::TargetReport& target);

// The place and what happened, in one line: "quadratic.cpp:16: cancellation, no correct digit left".
std::string problem_headline(const model::Problem& problem);

// Texts of a problem's finding that all formats of a report share.

// Returns the diagnosis, or without one the detail, unless it is shown elsewhere. Empty if there is nothing to add.
std::string why_text(const model::Finding& finding, bool detail_is_shown);

// "|x| < 1e-4; about 3 % of everyday inputs": the known parts.
std::string when_text(const model::Finding& finding);

// "fewer than 1 in 700 everyday inputs".
std::string share_text(const model::Share& share);

// Returns the number of digits that distinguishes the result from the exact one.
int telling_digits(const model::Finding& finding);

} // namespace faultline::report
