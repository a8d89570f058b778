#include "oracle/replayed.h"

#include "oracle/lifted.h"
#include "tape/replay.h"

#include <fmt/format.h>

namespace faultline::oracle {

Judgement judge_replayed(const frontend::Target& target, const tape::Tape& tape, const std::vector<size_t>& outputs) {
  Judgement judgement;
  for (size_t output : outputs) {
    const uint32_t record = tape.outputs()[output].record;
    if (record == 0) {
      judgement.why_unknown = fmt::format("the tape does not know where '{}' comes from", target.outputs[output].name);
      return judgement;
    }
  }
  tape::Replay coarse;
  for (long precision = first_precision; precision <= last_precision; precision *= 2) {
    tape::Replay fine = tape::replay(tape, precision);
    bool settled = precision > first_precision;
    for (size_t output : outputs) {
      const uint32_t record = tape.outputs()[output].record;
      auto reference = [&](const tape::Replay& replay) {
        return Reference{replay.values[record], ops::good_bits(replay.values[record].raw(), replay.errors[record])};
      };
      settled = settled && agree(reference(coarse), reference(fine), target.outputs[output].type.format);
    }
    if (settled) {
      judgement.certainty = Certainty::known;
      judgement.precision = precision;
      for (size_t output : outputs)
        judgement.outputs.push_back(measure(output, target.outputs[output], tape.outputs()[output].value,
                                            fine.values[tape.outputs()[output].record]));
      return judgement;
    }
    coarse = std::move(fine);
  }
  judgement.why_unknown = fmt::format("no two precisions up to {} bits agree", last_precision);
  return judgement;
}

} // namespace faultline::oracle
