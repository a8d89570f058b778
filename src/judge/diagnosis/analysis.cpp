#include "judge/diagnosis/analysis.h"

#include "oracle/lifted.h"

#include <algorithm>

namespace faultline::judge {

const tape::Replay& Analysis::exact(const tape::Tape& tape) {
  if (!exact_ || exact_->values.size() != tape.size()) { // of a run that was cut short, or not recorded at all
    traced_.clear();
    exact_ = tape::replay(tape, std::max(judgement_.precision, 2 * oracle::first_precision));
  }
  return *exact_;
}

const Analysis::Traced& Analysis::traced(const tape::Tape& tape, uint32_t output) {
  const auto known = traced_.find(output);
  if (known != traced_.end())
    return known->second;
  Traced traced;
  traced.path = explain::chain(tape, output, exact(tape));
  traced.blame = explain::find_cause(tape, traced.path, exact(tape));
  return traced_.emplace(output, std::move(traced)).first->second;
}

const std::vector<explain::Link>& Analysis::error_path(const tape::Tape& tape, uint32_t output) {
  return traced(tape, output).path;
}

const explain::Blame& Analysis::blame(const tape::Tape& tape, uint32_t output) { return traced(tape, output).blame; }

} // namespace faultline::judge
