#include "oracle/replayed.h"

#include "tape/replay.h"

#include <fmt/format.h>

namespace faultline::oracle {

Judgement judge_replayed(const frontend::Target& target, const tape::Tape& tape, const std::vector<size_t>& outputs,
                         double floor, std::span<const tape::Keep> keep, long first) {
  const std::vector<numeric::Format> formats = formats_of(target, outputs);
  Judgement judgement;
  for (size_t output : outputs) {
    const uint32_t record = tape.outputs()[output].record;
    if (record == 0) {
      judgement.why_unknown = fmt::format("the tape does not know where '{}' comes from", target.outputs[output].name);
      return judgement;
    }
  }
  Settling settling(floor);
  for (long precision = first; precision <= last_precision; precision *= 2) {
    const tape::Replay replay = tape::replay(tape, precision, {}, keep);
    if (!keep.empty() && !replay.flips.empty()) {
      judgement.why_unknown = "exact arithmetic takes another path";
      return judgement;
    }
    std::vector<Reference> references;
    for (size_t output : outputs) {
      const uint32_t record = tape.outputs()[output].record;
      references.push_back({replay.values[record], replay.errors[record]});
    }
    if (!settling.add(std::move(references), formats))
      continue;
    judgement.certainty = Certainty::known;
    judgement.precision = precision;
    for (size_t i = 0; i < outputs.size(); ++i)
      judgement.outputs.push_back(measure(outputs[i], target.outputs[outputs[i]], tape.outputs()[outputs[i]].value,
                                          settling.settled()[i].value, floor));
    return judgement;
  }
  judgement.why_unknown = fmt::format("no two precisions up to {} bits agree", last_precision);
  return judgement;
}

} // namespace faultline::oracle
