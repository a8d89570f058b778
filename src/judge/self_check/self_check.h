// Is all that a finding says so? What a strict replay checks beside reproducing it:
//
//   computed value   that of the code without instrumentation
//   reference        stays what it is, within its doubt and to its last digit, when the oracle works at twice the
//                    precision; the error is that of the two
//   diagnosis        agrees with itself (judge/self_check/chain_check.h)
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

} // namespace faultline::judge
