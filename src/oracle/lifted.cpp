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
                       const std::vector<size_t>& outputs, double floor) {
  const frontend::Target& target = session.target();
  const std::vector<numeric::Format> formats = formats_of(target, outputs);
  Judgement judgement;
  Settling settling(floor);
  for (long precision = first_precision; precision <= last_precision; precision *= 2) {
    exec::LiftedRun run = session.lift(input, precision);
    if (run.outcome != exec::Outcome::returned) {
      judgement.why_unknown = fmt::format("in high precision the code {}", exec::text(run.outcome));
      return judgement;
    }
    std::vector<Reference> references;
    for (size_t output : outputs) {
      const size_t at = among_floats(target, output);
      references.push_back({run.outputs[at], run.errors[at]});
    }
    if (!settling.add(std::move(references), formats, run.path))
      continue;
    judgement.certainty = Certainty::known;
    judgement.precision = precision;
    for (size_t i = 0; i < outputs.size(); ++i) {
      const Reference& reference = settling.settled()[i];
      judgement.outputs.push_back(
          measure(outputs[i], target.outputs[outputs[i]], tape.outputs()[outputs[i]].value, reference.value, floor));
      judgement.outputs.back().good_bits = reference.good_bits();
    }
    judgement.flip = tape::divergence(tape, run.decisions);
    return judgement;
  }
  judgement.why_unknown = fmt::format("no two precisions up to {} bits agree", last_precision);
  return judgement;
}

} // namespace faultline::oracle
