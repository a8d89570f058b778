#include "oracle/lifted.h"

#include "oracle/decision.h"

#include <fmt/format.h>

namespace faultline::oracle {
namespace {

// How a lifted run ended that did not return, by its own doing, and where it left the taped run's path.
struct End {
  exec::Outcome outcome;
  tape::Divergence flip;
  int times = 1; // in a row
  int needed =
      2; // to believe it; decisions after the flip are not looked at one by one, and may be the precision's own

  bool same_as(const End& other) const {
    return outcome == other.outcome && flip.branch.record == other.flip.branch.record &&
           flip.lifted == other.flip.lifted;
  }
};

// Only ends that the code chose: the others may be the lifted run's own doing.
std::optional<End> end_of(const exec::LiftedRun& run, const tape::Tape& tape) {
  const bool chosen = run.outcome == exec::Outcome::exited || run.outcome == exec::Outcome::aborted ||
                      run.outcome == exec::Outcome::threw;
  const std::optional<tape::Divergence> flip = chosen ? tape::divergence(tape, run.decisions) : std::nullopt;
  if (!flip)
    return std::nullopt;
  size_t before = 0;
  for (const tape::Branch& branch : tape::path(tape))
    before += branch.record < flip->branch.record && tape.site(branch.record).op != ops::Op::decide;
  constexpr int at_once = 2, later = 4;
  return End{run.outcome, *flip, 1, run.decisions.size() == before + 1 ? at_once : later};
}

} // namespace

std::string rounded_elsewhere(const frontend::Target& target, const std::vector<size_t>& outputs,
                              const exec::LiftedRun& run) {
  for (size_t output : outputs)
    if (const std::string& function = run.made_with[among_floats(target, output)]; !function.empty())
      return fmt::format("{} depends on {}, which is not instrumented and works with rounded numbers",
                         target.outputs[output].name, function);
  return {};
}

Judgement judge_lifted(exec::Session& session, const exec::Input& input, const tape::Tape& tape,
                       const std::vector<size_t>& outputs, double floor, long first) {
  const frontend::Target& target = session.target();
  const std::vector<numeric::Format> formats = formats_of(target, outputs);
  Judgement judgement;
  Settling settling(floor);
  std::optional<End> last_end;
  for (long precision = first; precision <= last_precision; precision *= 2) {
    exec::LiftedRun run = session.lift(input, precision);
    if (run.outcome != exec::Outcome::returned) {
      judgement.why_unknown = fmt::format("in high precision the code {}", exec::end_words(run.outcome, run.ending));
      std::optional<End> end = end_of(run, tape);
      if (!end)
        return judgement;
      if (last_end && end->same_as(*last_end))
        end->times = last_end->times + 1;
      if (end->times >= end->needed && is_certain(tape, end->flip, precision)) {
        judgement.ends = end->outcome;
        judgement.flip = end->flip;
        judgement.precision = precision;
        return judgement;
      }
      last_end = end;
      continue;
    }
    last_end.reset();
    if (std::string why = rounded_elsewhere(target, outputs, run); !why.empty()) {
      judgement.why_unknown = std::move(why);
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
  if (!last_end)
    judgement.why_unknown = fmt::format("no two precisions up to {} bits agree", last_precision);
  return judgement;
}

} // namespace faultline::oracle
