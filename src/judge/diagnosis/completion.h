// What is done once for each error that is kept, and would be wasted on candidates: the diagnosis, and a simpler input.
#pragma once

#include "judge/diagnosis/simplify.h"

namespace faultline::judge {

// The diagnosis of a judged run whose output is wrong; none for very long runs, and where the error is not made on the
// path of the run.
std::optional<finding::Diagnosis> diagnosis_of(const tape::Tape& tape, const frontend::Target& target,
                                               Analysis& analysis, const oracle::OutputJudgement& output,
                                               const finding::Finding& finding);

// Gives a finding at this run its diagnosis: an error, or an exception that could be avoided and spoils the output, if
// the error of the output begins with it.
void add_diagnosis(finding::Finding& finding, const tape::Tape& tape, const frontend::Target& target,
                   Analysis& analysis);

class Completion {
public:
  Completion(exec::Session& session, Judge& judge, const search::Space& space)
      : session_(session), judge_(judge), simplifier_(judge, space) {}

  // `analysis`: of the finding's run, if somebody has it.
  void finish(finding::Finding& finding, std::shared_ptr<Analysis> analysis = nullptr);

private:
  void simplify(Found& found);

  exec::Session& session_;
  Judge& judge_;
  Simplifier simplifier_;
};

} // namespace faultline::judge
