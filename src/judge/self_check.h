// Is all that a finding says so? What a strict replay checks beside reproducing it:
//
//   computed value   that of the code without instrumentation
//   reference        stays what it is, within its doubt and to its last digit, when the oracle works at twice the
//                    precision; the error is that of the two
//   diagnosis        agrees with itself (judge/self_check.h)
//   cause            was executed, and lies on the chain, where there is one
//
// What cannot be looked at is no violation: a reference that is not known at the higher precision for want of time, or
// the cause of a run that outgrows the tape.
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

// Does a diagnosis agree with itself? From its data alone: the shares of the lines have the sum 1, what the chain says
// of an operation's error is the difference of the two values beside it, each step's value is an operand of the next,
// and the last step has the error that the oracle saw, as far as the path accounts for it.

// Nothing if the finding has no diagnosis.
std::vector<finding::Violation> chain_violations(const finding::Finding& finding);

} // namespace faultline::judge
