#include "search/published/trials.h"

#include "numeric/bigfloat.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace faultline::search {

using numeric::Int128;
using numeric::Uint128;

namespace {

int fraction_bits(const Dimension& dimension) { return numeric::info(dimension.format).precision - 1; }

Int128 magnitude(Int128 order) { return order < 0 ? -(order + 1) : order; }
Int128 with_sign(bool negative, Int128 magnitude) { return negative ? -magnitude - 1 : magnitude; }

constexpr size_t kept = 24; // candidates for the oracle: a guess

// A converged population is full of near-duplicates; one of them is enough.
bool same_binades(const exec::Input& a, const exec::Input& b) {
  return std::equal(a.begin(), a.end(), b.begin(), [](Value x, Value y) {
    return std::signbit(x) == std::signbit(y) && std::logb(x) == std::logb(y);
  });
}

} // namespace

int exponent_of(const Dimension& dimension, Value value) {
  return int(magnitude(dimension.order(value)) >> fraction_bits(dimension));
}

bool is_negative(const Dimension& dimension, Value value) { return dimension.order(value) < 0; }

Exponents exponents_in_range(const Dimension& dimension) {
  const int low = exponent_of(dimension, dimension.low), high = exponent_of(dimension, dimension.high);
  const bool both_signs = is_negative(dimension, dimension.low) != is_negative(dimension, dimension.high);
  return {both_signs ? 0 : std::min(low, high), std::max(low, high)};
}

Value random_significand(const Dimension& dimension, bool negative, int exponent, numeric::Rng& rng) {
  const Exponents possible = exponents_in_range(dimension);
  const Int128 first = Int128(std::clamp(exponent, possible.first, possible.last)) << fraction_bits(dimension);
  const Int128 last = first + (Int128(1) << fraction_bits(dimension)) - 1;
  const Int128 range_low = dimension.order(dimension.low), range_high = dimension.order(dimension.high);
  for (const bool sign : {negative, !negative}) {
    const Int128 low = std::max(range_low, sign ? with_sign(sign, last) : first);
    const Int128 high = std::min(range_high, sign ? with_sign(sign, first) : last);
    if (low <= high)
      return dimension.at(uniform_between(low, high, rng));
  }
  return dimension.low;
}

int bit_count(const Dimension& dimension) {
  if (dimension.floating) {
    const int exponent_bits = std::bit_width(2u * unsigned(numeric::info(dimension.format).max_exponent));
    return 1 + exponent_bits + fraction_bits(dimension);
  }
  const auto width = uint64_t(dimension.order(dimension.high) - dimension.order(dimension.low));
  return std::max(1, int(std::bit_width(width)));
}

Uint128 bits_of(const Dimension& dimension, Value value) {
  const Int128 order = dimension.order(value);
  if (!dimension.floating)
    return Uint128(order - dimension.order(dimension.low));
  return Uint128(magnitude(order)) | (Uint128(order < 0) << (bit_count(dimension) - 1));
}

Value value_of_bits(const Dimension& dimension, Uint128 bits) {
  if (!dimension.values.empty())
    return dimension.at(Int128(bits));
  if (!dimension.floating)
    return dimension.reflected(dimension.low + (Value)bits);
  const Uint128 sign = Uint128(1) << (bit_count(dimension) - 1);
  return dimension.reflected(dimension.at(with_sign((bits & sign) != 0, Int128(bits & (sign - 1)))));
}

Measurement measure(Quest& quest, const exec::Input& input, tape::Residues& residues) {
  const tape::Tape tape = quest.evaluator.run(input);
  if (!quest.evaluator.usable())
    return {};
  quest.evaluator.charge(sweep_cost * tape.size());
  residues.read(tape, quest.outputs);
  Measurement worst;
  for (size_t output : quest.outputs) {
    const exec::OutputValue& value = tape.outputs()[output];
    if (value.record == 0 || !std::isfinite(value.value))
      continue;
    const tape::Shadow shadow = residues.shadow(tape, value.record);
    const Value error = std::fabs(shadow.error);
    if (!(error > 0) || std::isnan(shadow.exact))
      continue;
    const numeric::Format format = tape.site(value.record).format;
    const double relative =
        double(std::min<Value>(error / std::fabs(shadow.exact), std::numeric_limits<double>::max()));
    const auto ulps = double(error / numeric::ulp(shadow.exact, format));
    if (ulps > 1)
      worst.error = std::max(worst.error, relative);
    const double ordinary = std::ldexp(ulps, 1 - numeric::info(format).precision);
    worst.fitness = std::max(worst.fitness, ulps > 1 ? relative : std::min(relative, ordinary));
  }
  return worst;
}

Trials::Trials(Quest& quest, uint64_t published)
    : quest_(quest), planned_(quest.evaluator.evaluations_left().value_or(published)) {}

bool Trials::over() const { return made_ >= planned_ || quest_.evaluator.spent(); }

double Trials::fitness_of(const exec::Input& input) {
  ++made_;
  const auto [error, fitness] = measure(quest_, input, residues_);
  if (!(error > 0) || (best_.size() == kept && error <= best_.back().error))
    return fitness;
  const auto alike =
      std::find_if(best_.begin(), best_.end(), [&](const Trial& other) { return same_binades(other.input, input); });
  if (alike != best_.end()) {
    if (alike->error >= error)
      return fitness;
    best_.erase(alike);
  } else if (best_.size() == kept) {
    best_.pop_back();
  }
  auto place = std::find_if(best_.begin(), best_.end(), [&](const Trial& other) { return other.error < error; });
  best_.insert(place, {error, input});
  return fitness;
}

std::vector<Candidate> Trials::best(const char* strategy) const {
  std::vector<Candidate> candidates;
  for (const Trial& trial : best_)
    candidates.push_back({trial.input, 0, trial.error, strategy});
  return candidates;
}

// The standard genetic algorithm that the LSGA paper compares itself with (ICSE 2015, section V.C).
//
// Random inputs are the first generation. Parents are picked in pairs by a roulette wheel whose weights are logarithms
// of relative errors. Each number of a pair is crossed over with some probability by exchanging its first bits, and
// every bit may flip. The children are the next generation; no parent survives.
//
// The paper's figures are lost in our copy. It follows "the recommendation in existing papers", so we use De Jong's 50
// individuals and crossover of 0.6, and Grefenstette's mutation of 0.01: with De Jong's 0.001 a generation of 64-bit
// numbers becomes uniform before it finds anything. The 1000 evaluations of LSGA make 20 generations. Logarithms of
// small errors are negative. The weights count from half an ulp, and smaller errors also have a weight: otherwise the
// first input with an error dominates.

namespace {

constexpr uint64_t published_evaluations = 1000; // as many as LSGA has
constexpr uint64_t published_population = 50;    // De Jong's
constexpr double crossover = 0.6;                // De Jong's
constexpr double mutation = 0.01;                // of each bit: Grefenstette's
constexpr uint64_t generations = 20;             // 1000 / 50: at least, where the budget allows two individuals in each
constexpr double least_fitness = 0x1p-53;        // half an ulp of binary64, relative to the number

struct Individual {
  exec::Input input;
  double fitness = 0;
};
using Generation = std::vector<Individual>;

class Roulette {
public:
  explicit Roulette(const Generation& generation) : generation_(generation) {
    double sum = 0;
    for (const Individual& individual : generation)
      sums_.push_back(sum += 1 + std::log10(std::max(individual.fitness, least_fitness)) - std::log10(least_fitness));
  }

  const Individual& select(numeric::Rng& rng) const {
    const auto place = std::upper_bound(sums_.begin(), sums_.end(), rng.uniform() * sums_.back());
    return generation_[std::min(size_t(place - sums_.begin()), generation_.size() - 1)];
  }

private:
  const Generation& generation_;
  std::vector<double> sums_; // cumulative weights
};

numeric::Uint128 flipped(numeric::Uint128 bits, int count, numeric::Rng& rng) {
  for (int bit = 0; bit < count; ++bit)
    if (rng.uniform() < mutation)
      bits ^= numeric::Uint128(1) << bit;
  return bits;
}

// Makes two children of two parents.
void reproduce(exec::Input& a, exec::Input& b, const Space& space, numeric::Rng& rng) {
  for (size_t i = 0; i < a.size(); ++i) {
    const Dimension& dimension = space.dimensions[i];
    if (dimension.held())
      continue;
    const int count = bit_count(dimension);
    numeric::Uint128 x = bits_of(dimension, a[i]), y = bits_of(dimension, b[i]);
    if (rng.uniform() < crossover) {
      // These bits stay, the higher ones are exchanged
      const auto low = (numeric::Uint128(1) << rng.below(uint64_t(count))) - 1;
      const numeric::Uint128 difference = (x ^ y) & ~low;
      x ^= difference;
      y ^= difference;
    }
    a[i] = value_of_bits(dimension, flipped(x, count, rng));
    b[i] = value_of_bits(dimension, flipped(y, count, rng));
  }
}

} // namespace

std::vector<Candidate> search_ga(Quest& quest) {
  Trials trials(quest, published_evaluations);
  const uint64_t size = std::clamp<uint64_t>(trials.planned() / generations, 2, published_population);
  Generation generation;
  auto add = [&](Generation& to, exec::Input input) {
    if (to.size() == size || trials.over())
      return;
    const double fitness = trials.fitness_of(input);
    to.push_back({std::move(input), fitness});
  };
  for (uint64_t i = 0; i < size; ++i)
    add(generation, quest.space.sample_floats(quest.rng));
  while (!trials.over()) {
    const Roulette wheel(generation);
    Generation next;
    while (next.size() < size && !trials.over()) {
      exec::Input a = wheel.select(quest.rng).input, b = wheel.select(quest.rng).input;
      reproduce(a, b, quest.space, quest.rng);
      add(next, std::move(a));
      add(next, std::move(b));
    }
    generation = std::move(next);
  }
  return trials.best("ga");
}

} // namespace faultline::search
