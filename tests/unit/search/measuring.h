// The measured error of one input.
#pragma once

#include "searching.h"

#include "search/published/trials.h"

namespace faultline::test {

inline double measured_error(exec::Session& session, const search::Space& space, const exec::Input& input) {
  search::Evaluator evaluator(session, {}, [](const exec::Input&, const exec::Run&, const tape::Tape&) {});
  const std::vector<size_t> outputs = {0};
  search::Quest quest{evaluator, space, outputs, numeric::Rng(1)};
  tape::Residues residues;
  return search::measure(quest, input, residues).error;
}

} // namespace faultline::test
