#include "oracle/lifted.h"

#include <fmt/format.h>

namespace faultline::oracle {
namespace {

// The index of an output among the float outputs, which is how a lifted run counts.
size_t among_floats(const frontend::Target& target, size_t output) {
  size_t before = 0;
  for (size_t i = 0; i < output; ++i)
    before += target.outputs[i].type.floating;
  return before;
}

} // namespace

Judgement judge_lifted(exec::Session& session, const exec::Input& input, const tape::Tape& tape,
                       const std::vector<size_t>& outputs) {
  const frontend::Target& target = session.target();
  Judgement judgement;
  exec::LiftedRun coarse;
  for (long precision = first_precision; precision <= last_precision; precision *= 2) {
    exec::LiftedRun fine = session.lift(input, precision);
    if (fine.outcome != exec::Outcome::returned) {
      judgement.why_unknown = fmt::format("in high precision the code {}", exec::text(fine.outcome));
      return judgement;
    }
    bool settled = precision > first_precision;
    for (size_t output : outputs) {
      size_t at = among_floats(target, output);
      settled = settled && agree({coarse.outputs[at], coarse.good_bits[at]}, {fine.outputs[at], fine.good_bits[at]},
                                 target.outputs[output].type.format);
    }
    if (settled) {
      judgement.certainty = Certainty::known;
      judgement.precision = precision;
      for (size_t output : outputs) {
        const size_t at = among_floats(target, output);
        judgement.outputs.push_back(
            measure(output, target.outputs[output], tape.outputs()[output].value, fine.outputs[at]));
        judgement.outputs.back().good_bits = fine.good_bits[at];
      }
      judgement.flip = tape::divergence(tape, fine.decisions);
      return judgement;
    }
    coarse = std::move(fine);
  }
  judgement.why_unknown = fmt::format("no two precisions up to {} bits agree", last_precision);
  return judgement;
}

} // namespace faultline::oracle
