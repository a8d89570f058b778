// The worker's part of explain: runs the input, has it judged by those who judge a hunt's candidates, and sends what
// they say. `wanted` (--for) is not asked: who names an input wants to know everything about it.
#pragma once

#include "judge/judge.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

inline constexpr const char* given_strategy = "given"; // who found the input: the user

void explain(exec::Session& session, Judge& judge, const finding::Settings& settings, const finding::ExplainTask& task,
             const Tell& tell);

// What a test of the fixed code may demand at an input.
//
// A test must demand what a good implementation gives, no more. So every input is run again here, and the exact result
// is looked at around it: moving each input by an ulp changes it by so many ulps of the output, and half of that is
// what rounding the inputs alone would cost. The bound is 8 ulps and 8 times that: a backward stable algorithm perturbs
// its inputs by a few units. What is within the bound now is left out, with the reason: a test of it would demand the
// impossible. The bound for a wrong branch is a quarter of the error: the test tells which branch was taken.
//
// Differences of exact results are preferred to derivatives along the run's own path: they hold where that path is the
// wrong one, overflowed, or divided by zero.

// One message for each finding, in their order.
void examine(exec::Session& session, Judge& judge, const finding::ExamineTask& task, const Tell& tell);

} // namespace faultline::judge
