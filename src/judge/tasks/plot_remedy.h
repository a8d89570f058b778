// The remedy of a finding at other inputs: the curve that a plot draws beside the error there is.
//
// A remedy was found on one run (explain/remedy.h), as a change of the operation at one place of the code. The same
// change is made in the runs of other inputs, wherever they come by that place; nothing is searched for again.
#pragma once

#include "finding/finding.h"
#include "judge/judge.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::judge {

class RemedyTrial {
public:
  // Finds the place of the remedy that the finding's diagnosis names; nothing if it has none, or it is not found again.
  static std::optional<RemedyTrial> of(exec::Session& session, Judge& judge, const finding::Finding& finding,
                                       const exec::Input& input, size_t output);

  // What the output of this run would be with the remedy; nothing if the code would not go the same way, or if that
  // takes too long. A run that does not come by the place stays as it is.
  std::optional<long double> result(const tape::Tape& tape, size_t output) const;

private:
  enum class Means { rewrite, compensation, wider };

  RemedyTrial(std::string name, const tape::Tape& tape, uint32_t record, std::vector<std::string> inputs);
  std::optional<long double> rewritten(const tape::Tape& tape, uint32_t output) const;
  std::optional<long double> compensated(const tape::Tape& tape, uint32_t output) const;

  std::string name_;
  uint32_t site_;
  std::vector<std::string> inputs_; // their names
  Means means_ = Means::wider;
  size_t rule_ = 0; // which of the rewrites of the operation
};

} // namespace faultline::judge
