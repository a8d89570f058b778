// What is done once for each error that is kept, and would be wasted on candidates: the diagnosis, and a simpler input.
#pragma once

#include "campaign/simplify.h"

namespace faultline::campaign {

// The diagnosis of a judged run whose output is wrong; none for very long runs, and where the error is not made on the
// path of the run.
std::optional<Diagnosis> diagnosis_of(const tape::Tape& tape, const frontend::Target& target,
                                      const oracle::Judgement& judgement, const oracle::OutputJudgement& output,
                                      const Finding& finding);

// Gives a finding at this run its diagnosis: an error, or an exception that could be avoided and spoils the output, if
// the error of the output begins with it.
void add_diagnosis(Finding& finding, const tape::Tape& tape, const frontend::Target& target,
                   const oracle::Judgement& judgement);

class Finishing {
public:
  Finishing(exec::Session& session, Judge& judge, const search::Space& space)
      : session_(session), judge_(judge), simplifier_(judge, space) {}

  void finish(Finding& finding);

private:
  void simplify(Finding& finding, exec::Input& input);

  exec::Session& session_;
  Judge& judge_;
  Simplifier simplifier_;
};

} // namespace faultline::campaign
