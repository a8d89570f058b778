// A problem in a few short sentences, for those who show text without layout: code scanning services, CI servers.
#pragma once

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

} // namespace faultline::report
