// Where the method is to blame and not rounding: what a finding and its diagnosis say.
#pragma once

#include "finding/finding.h"
#include "judge/meaning/meaning_judge.h"

namespace faultline::judge {

// Does the code give another value than the meaning in exact arithmetic too, further off than rounding adds to it?
bool is_wrong_method(const oracle::OutputJudgement& output);

// Cause and verdict. The operation to blame is not known: the cause is the function, by its first line. It is
// avoidable, unless rounding the inputs changes the meaning's value as much.
void blame_method(finding::Finding& finding, const frontend::Target& target, const MeaningJudge& judge,
                  const exec::Input& input, const oracle::OutputJudgement& output);

finding::Diagnosis diagnose_method(const oracle::OutputJudgement& output);

} // namespace faultline::judge
