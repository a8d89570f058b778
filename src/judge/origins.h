// Outputs that code makes which is not instrumented: a library's matmul, a BLAS that was not compiled with the target.
// The tape does not know their operations and the oracle takes them for exact, so silence about them means nothing.
//
// The tape cannot tell such an output from a constant (both have record 0). A lifted run can: it remembers constants
// that were stored. Only programs that call such functions (Session::foreign) are looked at.
#pragma once

#include "tape/tape.h"

#include <string>
#include <vector>

namespace faultline::judge {

class Origins {
public:
  Origins(exec::Session& session, const std::vector<size_t>& outputs) : session_(session), outputs_(outputs) {}

  // A run of the search. Cheap: it looks for outputs that operations on the tape made.
  void watch(const exec::Input& input, const exec::Run& run, const tape::Tape& tape);

  // After the search: the outputs that were made elsewhere, or from rounded values that went through code elsewhere, in
  // a sentence with a cure; empty if there are none.
  std::string note();
  // No run computed any output here, and some are made elsewhere; or the errors before a call are not seen: silence is
  // no judgement. After note().
  bool inconclusive() const { return (!elsewhere_.empty() && computed_.empty()) || rounded_; }

private:
  std::string rounded_note();

  exec::Session& session_;
  const std::vector<size_t>& outputs_;
  std::vector<bool> computed_;      // by target output, once any is
  std::vector<exec::Input> inputs_; // a few whose outputs have no operation
  std::vector<size_t> elsewhere_;
  std::vector<exec::Input> samples_;
  uint64_t runs_ = 0, next_sample_ = 8;
  bool rounded_ = false;
};

// The same sentence for one input, for explain; or another, where no output was computed and zeros may have been
// written elsewhere.
std::string made_elsewhere(exec::Session& session, const exec::Input& input, const std::vector<size_t>& outputs);

} // namespace faultline::judge
