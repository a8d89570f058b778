// The first remedy that helps at one input.
#pragma once

#include "../tape/reading.h"

#include "explain/cause.h"
#include "explain/remedy.h"

namespace faultline::test {

inline std::optional<explain::Remedy> remedy_for(exec::Session& session, const exec::Input& input) {
  const tape::Tape tape = read(session, input);
  const uint32_t output = output_record(tape);
  const tape::Replay exact = tape::replay(tape, 1024);
  const std::vector<explain::Link> way = explain::chain(tape, output, exact);
  const explain::Blame blame = explain::find_cause(tape, way, exact);
  std::vector<std::string> names;
  for (const model::Cell& cell : session.target().inputs)
    names.push_back(cell.name);
  const std::vector<explain::Remedy> all =
      explain::find_remedies({tape, output, exact.values[output], way, blame.record, names});
  return all.empty() ? std::nullopt : std::optional(all.front());
}

} // namespace faultline::test
