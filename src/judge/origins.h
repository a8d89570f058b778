// Outputs of code that is not instrumented: a library's matmul, a BLAS that was not compiled with the target. The tape
// does not contain their operations and the oracle treats them as exact, so a clean result proves nothing.
//
// On the tape such an output looks like a constant (both have record 0). A lifted run distinguishes them, since it
// records stored constants. Only programs that call such functions (Session::foreign) are examined.
#pragma once

#include "tape/tape.h"

#include <string>
#include <vector>

namespace faultline::judge {

class Origins {
public:
  Origins(exec::Session& session, const std::vector<size_t>& outputs) : session_(session), outputs_(outputs) {}

  // Watches a run of the search. Cheap: it looks for outputs that operations on the tape made.
  void watch(const exec::Input& input, const exec::Run& run, const tape::Tape& tape);

  // After the search: a sentence that names the outputs made by foreign code, or from rounded values that went through
  // it, with advice. Empty if there are none.
  std::string note();
  // True if no run computed any output here and foreign code made some, or if the errors before a call are not seen: a
  // clean result is then not a judgement. To be called after note().
  bool inconclusive() const { return (!elsewhere_.empty() && computed_.empty()) || rounded_; }

private:
  std::string rounded_note();

  exec::Session& session_;
  const std::vector<size_t>& outputs_;
  std::vector<bool> computed_;      // by target output; empty until one is
  std::vector<exec::Input> inputs_; // a few whose outputs have no operation
  std::vector<size_t> elsewhere_;
  std::vector<exec::Input> samples_;
  uint64_t runs_ = 0, next_sample_ = 8;
  bool rounded_ = false;
};

// The same sentence for one input, for explain; or another one, if no output was computed and foreign code may have
// written zeros.
std::string made_elsewhere(exec::Session& session, const exec::Input& input, const std::vector<size_t>& outputs);

} // namespace faultline::judge
