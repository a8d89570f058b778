// Plain random search: the peer that every other strategy has to beat. Samples are uniform over the floats, uniform
// over the reals of the range, and (with several inputs) of about the same magnitude, in turn. The best are kept by the
// adjoint's first-order estimate of the relative error, which costs one sweep over the tape and no oracle.
#include "search/random.h"

#include "search/strategy.h"
#include "tape/adjoint.h"

#include <algorithm>
#include <cmath>

namespace faultline::search {
namespace {

constexpr uint64_t default_samples = 100'000;
constexpr size_t kept = 24;

} // namespace

double estimated_relative_error(const tape::Tape& tape, const std::vector<size_t>& outputs) {
  double worst = 0;
  for (size_t output : outputs) {
    const exec::OutputValue& value = tape.outputs()[output];
    if (value.record == 0 || !std::isfinite(value.value))
      continue;
    const double error = tape::estimate_error(tape, value.record).absolute;
    const double exact = double(value.value) + error;
    const double relative = error == 0 ? 0 : std::fabs(error / exact);
    if (std::isfinite(error))
      worst = std::max(worst, std::isfinite(relative) ? relative : 1e300);
  }
  return worst;
}

std::vector<Candidate> sample_at_random(Quest& quest, uint64_t samples, double share, const char* strategy) {
  constexpr uint64_t estimate_cost = 8; // of a record, against recording it
  std::vector<Candidate> best;
  auto better = [](const Candidate& a, const Candidate& b) { return a.score > b.score; };
  for (uint64_t i = 0; i < samples && !quest.evaluator.spent(share); ++i) {
    const uint64_t kind = i % (quest.space.dimensions.size() > 1 ? 3 : 2);
    exec::Input input = kind == 0   ? quest.space.sample_floats(quest.rng)
                        : kind == 1 ? quest.space.sample_reals(quest.rng)
                                    : quest.space.sample_alike(quest.rng);
    tape::Tape tape = quest.evaluator.run(input);
    if (!quest.evaluator.usable())
      continue;
    quest.evaluator.charge(estimate_cost * tape.size());
    const double score = estimated_relative_error(tape, quest.outputs);
    if (!(score > 0) || (best.size() == kept && score <= best.back().score))
      continue;
    if (best.size() == kept)
      best.pop_back();
    Candidate candidate{std::move(input), 0, score, strategy};
    best.insert(std::upper_bound(best.begin(), best.end(), candidate, better), std::move(candidate));
  }
  return best;
}

std::vector<Candidate> search_random(Quest& quest) { return sample_at_random(quest, default_samples, 1, "random"); }

} // namespace faultline::search
