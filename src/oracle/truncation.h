// Iterations and series that stop by a tolerance. In exact arithmetic the code gives its method's own truncation, which
// is not the limit that people take its result for. So tolerances in the exits of loops (tape/turns.h) are made
// smaller, step by step, and the code runs again in high precision: if the result moves on, ever less, the method had
// not arrived, and where it tends to is the better reference.
#pragma once

#include "oracle/judgement.h"

namespace faultline::oracle {

// Outputs that are further from there than from the code's own result in exact arithmetic, and by more than `least`
// (relative), get it as their reference (OutputJudgement::truncation). What does not move stays as it is. Returns how
// far the furthest moved: nothing, if there is no loop with a tolerance.
std::optional<double> look_for_truncation(Judgement& judgement, exec::Session& session, const exec::Input& input,
                                          const tape::Tape& tape, double least, double floor = 0);

// The same for a loop that makes a fixed number of turns (tape/turns.h): would more of them lead elsewhere?
std::optional<double> look_at_turns(Judgement& judgement, const frontend::Target& target, const tape::Tape& tape,
                                    double least, double floor = 0);

} // namespace faultline::oracle
