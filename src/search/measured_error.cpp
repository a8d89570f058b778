#include "search/measured_error.h"

#include "oracle/judgement.h"
#include "tape/replay.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline::search {
namespace {

constexpr long precision = 128;
constexpr uint32_t largest_replay = 1u << 18; // records
constexpr uint64_t replay_cost = 200;         // of a record, against recording it

bool can_be_wrong(const exec::OutputValue& value) { return value.record != 0 && std::isfinite(value.value); }

} // namespace

Measurement measure(Quest& quest, const exec::Input& input) {
  const tape::Tape tape = quest.evaluator.run(input);
  if (!quest.evaluator.usable() || tape.size() > largest_replay)
    return {};
  if (std::none_of(quest.outputs.begin(), quest.outputs.end(),
                   [&](size_t output) { return can_be_wrong(tape.outputs()[output]); }))
    return {};
  quest.evaluator.charge(replay_cost * tape.size());
  const tape::Replay exact = tape::replay(tape, precision);
  Measurement worst;
  for (size_t output : quest.outputs) {
    const exec::OutputValue& value = tape.outputs()[output];
    if (!can_be_wrong(value) || exact.values[value.record].is_nan())
      continue;
    const frontend::Cell& cell = quest.evaluator.session().target().outputs[output];
    const oracle::OutputJudgement judged = oracle::measure(output, cell, value.value, exact.values[value.record]);
    const double relative = std::min(judged.relative, std::numeric_limits<double>::max());
    const double ordinary = std::ldexp(judged.ulps, 1 - numeric::info(cell.type.format).precision);
    if (judged.ulps > 1)
      worst.error = std::max(worst.error, relative);
    worst.fitness = std::max(worst.fitness, judged.ulps > 1 ? relative : std::min(relative, ordinary));
  }
  return worst;
}

} // namespace faultline::search
