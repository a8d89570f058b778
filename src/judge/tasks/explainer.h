// The worker's part of explain: runs the input, has it judged by those who judge a hunt's candidates, and sends what
// they say. `wanted` (--for) is not asked: who names an input wants to know everything about it.
#pragma once

#include "judge/judge.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

inline constexpr const char* given_strategy = "given"; // who found the input: the user

void explain(exec::Session& session, Judge& judge, const finding::Settings& settings, const finding::ExplainTask& task,
             const Tell& tell);

} // namespace faultline::judge
