// The standard genetic algorithm that the LSGA paper (ICSE 2015, section V.C) compares itself with.
//
// Random inputs are the first generation. Parents are picked in pairs by a roulette wheel whose weights are logarithms
// of relative errors; each number of a pair is crossed over with some probability, by exchanging its first bits; every
// bit may flip; the children are the next generation, and no parent survives.
//
// The paper's figures are lost in our copy. It follows "the recommendation in existing papers", so we take De Jong's 50
// individuals and crossover of 0.6, and Grefenstette's mutation of 0.01: with De Jong's 0.001 a generation of 64-bit
// numbers becomes all alike before it has found anything. With the 1000 evaluations that we give LSGA that makes 20
// generations. Logarithms of small errors are negative; the weights count from half an ulp, and what is below has a
// weight, too: without it, the first input that has an error takes over.
#include "search/published/float_parts.h"
#include "search/published/trials.h"
#include "search/strategy.h"

#include <algorithm>
#include <cmath>

namespace faultline::search {
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
  std::vector<double> sums_; // of the weights up to each
};

numeric::Uint128 flipped(numeric::Uint128 bits, int count, numeric::Rng& rng) {
  for (int bit = 0; bit < count; ++bit)
    if (rng.uniform() < mutation)
      bits ^= numeric::Uint128(1) << bit;
  return bits;
}

// Two parents become two children.
void reproduce(exec::Input& a, exec::Input& b, const Space& space, numeric::Rng& rng) {
  for (size_t i = 0; i < a.size(); ++i) {
    const Dimension& dimension = space.dimensions[i];
    if (dimension.held())
      continue;
    const int count = bit_count(dimension);
    numeric::Uint128 x = bits_of(dimension, a[i]), y = bits_of(dimension, b[i]);
    if (rng.uniform() < crossover) {
      const auto low = (numeric::Uint128(1) << rng.below(uint64_t(count))) - 1; // stays, what is above is exchanged
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
