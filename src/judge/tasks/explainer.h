// The worker's part of explain: runs the input, judges it exactly as a hunt judges candidates, and sends the results.
// `wanted` (--for) is ignored: a user who names an input wants everything about it.
#pragma once

#include "judge/judge.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

inline constexpr const char* given_strategy = "given"; // the means that found the input: the user

void explain(exec::Session& session, Judge& judge, const finding::Settings& settings, const finding::ExplainTask& task,
             const Tell& tell);

// What a test of the fixed code may demand at an input.
//
// A test must demand no more than a good implementation gives. So every input is run again here, and the exact result
// is examined around it: the change in ulps of the output when each input moves by an ulp; half of that is the cost of
// rounding the inputs alone. The bound is 8 ulps and 8 times that cost: a backward stable algorithm perturbs its inputs
// by a few units. An error within the bound is omitted, with the reason: a test of it would demand the impossible. The
// bound for a wrong branch is a quarter of the error: the test shows which branch was taken.
//
// Differences of exact results are preferred to derivatives along the run's own path: they are valid even if that path
// is wrong, overflowed, or divided by zero.

// One message for each finding, in order.
void examine(exec::Session& session, Judge& judge, const finding::ExamineTask& task, const Tell& tell);

} // namespace faultline::judge
