#include "judge/pole.h"

#include "search/space.h"

#include <cmath>

namespace faultline::judge {
namespace {

constexpr size_t most_inputs = 3;

// The exact value at another input, if the oracle knows it.
std::optional<double> log_magnitude(Judge& judge, exec::Session& session, const exec::Input& input, size_t output) {
  const exec::Run run = session.run(input);
  if (run.outcome != exec::Outcome::returned)
    return std::nullopt;
  const oracle::Judgement judgement = judge.judge(input, tape::Tape(run, session.sites(), input.size()));
  if (judgement.certainty == oracle::Certainty::unknown)
    return std::nullopt;
  for (const oracle::OutputJudgement& judged : judgement.outputs)
    if (judged.output == output)
      return judged.reference.log2_magnitude();
  return std::nullopt;
}

} // namespace

bool is_at_a_pole(Judge& judge, exec::Session& session, const exec::Input& input, size_t output,
                  const numeric::BigFloat& reference) {
  constexpr double clearly = 0.6; // the magnitude's base-2 logarithm: half as large again
  const double here = reference.log2_magnitude();
  if (input.size() > most_inputs || !std::isfinite(here))
    return false;
  for (size_t i = 0; i < input.size(); ++i) {
    const frontend::Cell& cell = session.target().inputs[i];
    if (!cell.type.floating)
      continue;
    const search::Dimension dimension{cell.name, true, cell.type.format, 0, 0};
    bool largest = true, steep = false;
    for (int step : {-1, 1}) {
      exec::Input beside = input;
      beside[i] = dimension.at(dimension.order(input[i]) + step);
      const std::optional<double> there = log_magnitude(judge, session, beside, output);
      largest = largest && there && *there < here;
      steep = steep || (there && *there < here - clearly);
    }
    if (largest && steep)
      return true;
  }
  return false;
}

} // namespace faultline::judge
