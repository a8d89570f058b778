// The default oracle: lifted execution. It doubles the precision from 128 bits until two precisions agree on every
// output. If they do not agree up to the limit, the answer is "unknown".
//
// Where the code ends in high precision (it calls exit or abort, or throws), there is no reference. That is the
// judgement (Judgement::ends) if two successive precisions end in the same way (four, if the code decides more before
// it ends), and the decision that leads there is certain.
//
// Code that looks at the bits of rounded values gets a second run, in which these values are rounded to the other one
// of their two neighbours. If the outputs change, they depend on roundings, and the answer is "unknown".
//
// It measures rounding error: it evaluates the code's own formulas, constants and iteration limits exactly. It cannot
// see a truncated series or a wrong constant.
#pragma once

#include "oracle/judgement.h"

namespace faultline::oracle {

// `tape` is the tape of a run on the same input. Lifted runs leave it unchanged.
Judgement judge_lifted(exec::Session& session, const exec::Input& input, const tape::Tape& tape,
                       const std::vector<size_t>& outputs, double floor = 0, long first = first_precision);

// Returns why the references of a lifted run are inexact at any precision: an output depends on uninstrumented code
// that received rounded values (runtime/lift.h). Empty if none does.
std::string rounded_elsewhere(const model::Target& target, const std::vector<size_t>& outputs,
                              const exec::LiftedRun& run);

// True if two references, rounded to the format, differ by more than the methods of two paths through the code do.
bool are_apart(const numeric::BigFloat& a, const numeric::BigFloat& b, numeric::Format format);

} // namespace faultline::oracle
