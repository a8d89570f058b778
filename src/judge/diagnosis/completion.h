// What is done once for each finding that is kept, and would be wasted on candidates: a more ordinary
// input, and the diagnosis.
#pragma once

#include "judge/diagnosis/diagnose.h"
#include "judge/diagnosis/remedy_trial.h"
#include "judge/diagnosis/simplify.h"
#include "judge/exceptions/exceptions.h"
#include "judge/judge.h"

namespace faultline::judge {

// The diagnosis of a judged run whose output is wrong; none for very long runs, and where the error is not made on the
// path of the run.
std::optional<Diagnosed> diagnosis_of(const tape::Tape& tape, const frontend::Target& target, Analysis& analysis,
                                      const oracle::OutputJudgement& output, const finding::Finding& finding);

// Gives a finding at this run its diagnosis: an error, or an exception that could be avoided and spoils the output, if
// the error of the output begins with it. What is left to do is the choice of a remedy among those that help here.
std::vector<explain::Remedy> add_diagnosis(finding::Finding& finding, const tape::Tape& tape,
                                           const frontend::Target& target, Analysis& analysis);

class Completion {
public:
  // `to_roots`: largest errors are looked for next to roots. No deadline: it takes as long as it takes.
  Completion(exec::Session& session, Judge& judge, ExceptionJudge& exceptions, const search::Space& space,
             const search::Space& everyday, RemedyTrial& trial, bool to_roots = true, Deadline* deadline = nullptr)
      : session_(session), judge_(judge), exceptions_(exceptions), space_(space), simplifier_(space, everyday),
        trial_(trial), to_roots_(to_roots), deadline_(deadline) {}

  // Moves the finding to a simpler input that shows it: from the same cause, of no lower tier, and, if it is an error,
  // at least half as large, where all errors of 1 or more are alike.
  void simplify(Found& found, Simplest simplest = Simplest::wanted);
  // Moves the largest error of a cause to the worst input nearby: one next to a root of the exact result.
  void approach_root(Found& found);
  // `found.analysis`: of the finding's run, if somebody has it. Without other inputs than the finding's there is no
  // remedy: it would not be tried.
  enum class Inputs : uint8_t { any, its_own };
  void diagnose(Found& found, Inputs inputs = Inputs::any);

private:
  uint64_t attempts_for(const finding::Finding& finding);
  bool no_new_inputs() const; // is it too late to try others?
  std::optional<Found> same_at(const exec::Input& input, const finding::Finding& wanted);

  exec::Session& session_;
  Judge& judge_;
  ExceptionJudge& exceptions_;
  const search::Space& space_;
  Simplifier simplifier_;
  RemedyTrial& trial_;
  bool to_roots_;
  Deadline* deadline_;
  uint64_t allowance_ = 40'000'000;     // records, for all findings: a guess
  uint64_t root_allowance_ = 2'000'000; // records, in high precision: a second or so
};

} // namespace faultline::judge
