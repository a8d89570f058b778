// A problem in a few short sentences, for those who show text without layout: code scanning services, CI servers.
#pragma once

#include "finding/finding.h"
#include "finding/problem.h"

#include <string>

namespace faultline::report {

// "Cancellation, no correct digit left, in -b_ + root." Then what to try, why, when and how often, what helps; a line
// each, of those that are known.
std::string problem_message(const finding::Problem& problem);

// The same problem as one function has it: its own input speaks, and the tier is that of its own findings. They are
// among the problem's.
finding::Problem problem_in(const finding::Problem& problem, const finding::TargetReport& target);

// The place and what happened, in one line: "quadratic.cpp:16: cancellation, no correct digit left".
std::string problem_headline(const finding::Problem& problem);

// What a problem's finding says of itself, in words that every form of a report has in common.

// The diagnosis; without one the detail, unless the reader is told that elsewhere. Empty if there is nothing to add.
std::string why_text(const finding::Finding& finding, bool detail_is_told);

// "|x| < 1e-4; fewer than 1 in 700 everyday inputs", as far as it is known.
std::string when_text(const finding::Finding& finding);

// "fewer than 1 in 700 everyday inputs".
std::string share_text(const finding::Share& share);

// How many digits tell the result from the exact one.
int telling_digits(const finding::Finding& finding);

} // namespace faultline::report
