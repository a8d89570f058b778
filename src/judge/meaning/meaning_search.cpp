#include "judge/meaning/meaning_search.h"

#include "numeric/stable_sort.h"
#include "search/space.h"

#include <algorithm>
#include <cmath>

namespace faultline::judge {
namespace {

using numeric::Value;
using oracle::MeaningValue;

// Guesses: an evaluation of a meaning takes from 20 us to some ms, so all of them take well below a second.
constexpr int everyday_samples = 160, moderate_samples = 120, whole_numbers = 120, ranged_samples = 120,
              any_samples = 60;
constexpr size_t most_climbed = 6, most_judged = 16;
constexpr int steps_of_a_climb = 24;
constexpr uint64_t longest_run = 200'000; // records
constexpr double least_ulps = 4;

// A magnitude of 2^-6 to 2^9, where special functions switch formulas.
Value moderate(numeric::Rng& rng) {
  const double magnitude = std::ldexp(rng.uniform(1, 2), int(rng.below(15)) - 6);
  return rng.below(4) == 0 ? -magnitude : magnitude;
}

// Orders, degrees, counts and halves.
Value whole_or_half(numeric::Rng& rng) {
  const auto k = Value(rng.below(rng.coin() ? 12 : 200));
  const Value value = rng.below(4) == 0 ? k / 2 : k;
  return rng.below(5) == 0 ? -value : value;
}

} // namespace

std::vector<exec::Input> MeaningSearch::samples() const {
  const numeric::Rng seed = numeric::Rng(settings_.seed).fork("meaning");
  const search::Space& space = settings_.scope == model::Scope::everyday ? everyday_ : whole_;
  std::vector<exec::Input> all;
  numeric::Rng rng = seed.fork("everyday");
  for (int i = 0; i < everyday_samples; ++i)
    all.push_back(everyday_.sample_floats(rng));
  const auto add = [&](const char* name, int count, auto draw) {
    numeric::Rng own = seed.fork(name);
    for (int i = 0; i < count; ++i) {
      exec::Input input = everyday_.sample_floats(own);
      for (size_t k = 0; k < input.size(); ++k)
        if (const search::Dimension& dimension = everyday_.dimensions[k]; !dimension.held() && dimension.values.empty())
          input[k] = draw(dimension, input[k], own);
      all.push_back(whole_.legal(std::move(input)));
    }
  };
  add("moderate", moderate_samples, [](const search::Dimension& dimension, Value drawn, numeric::Rng& own) {
    return dimension.floating ? dimension.reflected(moderate(own)) : drawn;
  });
  add("whole", whole_numbers, [](const search::Dimension& dimension, Value, numeric::Rng& own) {
    return dimension.reflected(own.coin() || !dimension.floating ? whole_or_half(own) : moderate(own));
  });
  if (std::ranges::any_of(space.dimensions, &search::Dimension::given)) {
    rng = seed.fork("range");
    for (int i = 0; i < ranged_samples; ++i)
      all.push_back(space.sample_reals(rng));
  }
  rng = seed.fork("any");
  for (int i = 0; i < any_samples; ++i)
    all.push_back(space.sample_floats(rng));
  return all;
}

MeaningSearch::Trial MeaningSearch::run(const exec::Input& input) {
  Trial trial{input, 0, search::is_everyday(whole_, input)};
  const exec::Run& run = session_.run_briefly(input, longest_run);
  if (run.outcome != exec::Outcome::returned || run.refused_at)
    return trial;
  for (const size_t output : judge_.outputs()) {
    const OutputMeaning* meaning = judge_.meaning().of(output);
    const Value computed = run.outputs[output].value;
    if (!meaning || !std::isfinite(computed))
      continue;
    const MeaningValue value = judge_.meaning().value(*meaning, input);
    if (value.kind != MeaningValue::Kind::value)
      continue;
    const oracle::OutputJudgement measured =
        oracle::measure(output, session_.target().outputs[output], computed, value.reference.value, settings_.floor);
    if (measured.ulps > least_ulps)
      trial.error = std::max(trial.error, std::min(measured.relative, 1.0));
  }
  return trial;
}

// Moves one input per step: by a part of its magnitude, or to a near neighbour.
void MeaningSearch::climb(Trial& from, numeric::Rng& rng, const std::function<bool()>& over) {
  for (int step = 0; step < steps_of_a_climb && from.error < 1 && !over(); ++step) {
    const size_t k = rng.below(from.input.size());
    const search::Dimension& dimension = whole_.dimensions[k];
    if (dimension.held() || !dimension.values.empty())
      continue;
    exec::Input moved = from.input;
    const double factor = 1 + std::ldexp(rng.coin() ? 1.0 : -0.5, -int(rng.below(8)));
    moved[k] = dimension.reflected(dimension.floating ? moved[k] * factor : moved[k] + (rng.coin() ? 1 : -1));
    if (!whole_.allows(moved))
      continue;
    if (Trial trial = run(moved); trial.error > from.error && trial.everyday >= from.everyday)
      from = std::move(trial);
  }
}

std::vector<exec::Input> MeaningSearch::inputs(const std::function<bool()>& over) {
  std::vector<Trial> trials;
  for (const exec::Input& input : samples()) {
    if (over() || session_.asked_to_stop())
      break;
    if (Trial trial = run(input); trial.error > 0)
      trials.push_back(std::move(trial));
  }
  const auto by_weight = [](const Trial& a, const Trial& b) {
    return std::pair(a.everyday, a.error) > std::pair(b.everyday, b.error);
  };
  numeric::sort_stably(trials, by_weight);
  numeric::Rng rng = numeric::Rng(settings_.seed).fork("meaning, climbing");
  for (size_t i = 0; i < std::min(trials.size(), most_climbed); ++i)
    climb(trials[i], rng, over);
  numeric::sort_stably(trials, by_weight);
  std::vector<exec::Input> worst;
  for (size_t i = 0; i < trials.size() && worst.size() < most_judged; ++i)
    worst.push_back(trials[i].input);
  return worst;
}

} // namespace faultline::judge
