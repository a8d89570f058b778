// Checks every claim of a finding against a fresh run. In addition to reproducing it, a strict replay checks:
//
//   computed value   equal to that of the code without instrumentation
//   reference        unchanged within its doubt and to its last digit, when the oracle works at twice the precision;
//                    the error is that of the two
//   diagnosis        consistent (chain_violations)
//   cause            executed, and on the chain, if there is one
//
// A claim that cannot be checked is not a violation: a reference that is unknown at the higher precision for lack of
// time, or the cause of a run that outgrows the tape.
#pragma once

#include "finding/message.h"
#include "judge/judge.h"

#include <vector>

namespace faultline::judge {

class SelfCheck {
public:
  SelfCheck(exec::Session& session, Judge& judge) : session_(session), judge_(judge) {}

  std::vector<finding::Violation> violations(const exec::Input& input, const finding::Finding& finding);

private:
  void check_computed(const exec::Input& input, const finding::Finding& finding);
  void check_reference(const exec::Input& input, const tape::Tape& tape, const finding::Finding& finding);
  void check_finer(const exec::Input& input, const tape::Tape& tape, const oracle::OutputJudgement& coarse,
                   long precision);
  void check_cause(const tape::Tape& tape, const finding::Finding& finding);
  void note(std::string what, std::string expected, std::string found);

  exec::Session& session_;
  Judge& judge_;
  std::vector<finding::Violation> violations_;
};

// Checks that a diagnosis is consistent, from its data only: the shares of the lines have the sum 1; the error of an
// operation in the chain is the difference of the two values next to it; each step's value is an operand of the next;
// the last step has the error that the oracle found, as far as the path accounts for it.

// Empty if the finding has no diagnosis.
std::vector<finding::Violation> chain_violations(const finding::Finding& finding);

} // namespace faultline::judge
