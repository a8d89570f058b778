// Iterations and series that stop at a tolerance. In exact arithmetic the code gives its method's own truncation, not
// the limit that users expect. So tolerances in the exits of loops (tape/turns.h) are tightened step by step, and the
// code runs again in high precision. If the result keeps moving in shrinking steps, the method had not converged, and
// the limit is the better reference.
#pragma once

#include "oracle/judgement.h"

namespace faultline::oracle {

// The limit of operations for lifted runs of slightly changed code or inputs. A slow series takes sixteen times as many
// terms for a tolerance 2^-8 times as large; a run that is longer still may never end.
uint64_t most_operations_near(const tape::Tape& tape);

// Sets the limit as the reference (OutputJudgement::truncation) of outputs that are farther from it than from the
// code's own result in exact arithmetic, by more than `least` (relative). Outputs that do not move stay unchanged.
// Returns the largest movement; nothing if there is no loop with a tolerance.
std::optional<double> look_for_truncation(Judgement& judgement, exec::Session& session, const exec::Input& input,
                                          const tape::Tape& tape, double least, double floor = 0);

// The same for a loop with a fixed number of turns (tape/turns.h): evaluates whether more turns change the result.
std::optional<double> look_at_turns(Judgement& judgement, const model::Target& target, const tape::Tape& tape,
                                    double least, double floor = 0);

} // namespace faultline::oracle
