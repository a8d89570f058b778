// DEMC (Yi, Chen, Mao, Ji: Efficient Automated Repair of High Floating-Point Errors in Numerical Libraries, POPL 2019;
// Efficient Global Search for Inputs Triggering High Floating-Point Inaccuracies, APSEC 2017).
//
// A global search comes first: the space is partitioned by magnitude, and differential evolution looks for a large
// error in each part. Then a fine search: from the best input of each of the ten best parts a Markov chain (Metropolis)
// walks in its neighbourhood, with the measured error as its density.
//
// From the authors' tool (and SciPy's defaults, which it uses): best/1/bin with 15 individuals, a factor that varies
// from 0.5 to 1 and recombination 0.7; ten chains, each within 1e14 ulps of its start. The original guides its
// evolution by an estimate of the condition number and polishes every step of a chain with Nelder and Mead's simplex.
// Here the error guides both, and the steps of a chain have all sizes from one ulp to the whole neighbourhood. The
// division of the evaluations is ours.
//
// Both searches work on order numbers (numeric/format.h), in which all binades are equally wide. The original is for
// one input. With several, half of the searches use parts of equal magnitude in all inputs, since other inputs hardly
// ever cancel.
#include "search/published/trials.h"
#include "search/strategy.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace faultline::search {
namespace {

// The division of the evaluations: guesses. Their number is what `faultline bench gsl` gives each strategy it compares.
constexpr uint64_t evaluations_by_default = 100'000;
constexpr double global_share = 0.5;
constexpr uint64_t least_generations = 10; // at least, in each part
constexpr uint64_t most_parts = 64;

// SciPy's defaults, and the authors' tool: see above.
constexpr uint64_t individuals = 15;
constexpr double least_factor = 0.5, most_factor = 1;
constexpr double recombination = 0.7;
constexpr size_t chains = 10;
constexpr int spared_bits = 7; // 1e14 ulps are 46 of binary64's 53 bits

// A place in the space: an order number for each dimension. x87's exponents beyond 64 bits lose their last bits.
using Place = std::vector<Value>;

struct Span {
  Value low, high;
  bool contains(Value at) const { return at >= low && at <= high; }
};
using Box = std::vector<Span>;

struct ScoredPlace {
  Place place;
  double fitness = 0;
};

class Demc {
public:
  explicit Demc(Quest& quest) : quest_(quest), rng_(quest.rng), trials_(quest, evaluations_by_default) {
    for (const Dimension& dimension : quest.space.dimensions)
      whole_.push_back({(Value)dimension.order(dimension.low), (Value)dimension.order(dimension.high)});
  }

  std::vector<Candidate> run() {
    std::vector<ScoredPlace> starts = search_parts();
    std::sort(starts.begin(), starts.end(),
              [](const ScoredPlace& a, const ScoredPlace& b) { return a.fitness > b.fitness; });
    starts.resize(std::min(starts.size(), chains));
    for (size_t i = 0; i < starts.size(); ++i)
      walk(std::move(starts[i]), global_share + (1 - global_share) * double(i + 1) / double(starts.size()));
    return trials_.best("demc");
  }

private:
  // True if this share of the search is over.
  bool over(double share) const {
    return trials_.over() || double(trials_.made()) >= share * double(trials_.planned()) ||
           quest_.evaluator.spent(share);
  }

  double fitness_at(const Place& place) {
    exec::Input input;
    for (size_t i = 0; i < place.size(); ++i) {
      const Dimension& dimension = quest_.space.dimensions[i];
      input.push_back(dimension.nearest(dimension.at(numeric::Int128(std::rint(place[i])))));
    }
    return trials_.fitness_of(input);
  }

  // The best of each part. The parts are shuffled, so that a search cut short has not seen small numbers only.
  std::vector<ScoredPlace> search_parts() {
    const auto planned = uint64_t(double(trials_.planned()) * global_share);
    const uint64_t parts = std::clamp<uint64_t>(planned / (individuals * least_generations), 1, most_parts);
    std::vector<uint64_t> order(parts);
    std::iota(order.begin(), order.end(), 0);
    for (size_t i = parts; i > 1; --i)
      std::swap(order[i - 1], order[rng_.below(i)]);
    std::vector<ScoredPlace> found;
    for (uint64_t i = 0; i < parts && (i == 0 || !over(global_share)); ++i)
      found.push_back(evolve(part(order[i], parts), global_share * double(i + 1) / double(parts)));
    return found;
  }

  Box part(uint64_t number, uint64_t parts) {
    Box box;
    const bool alike = rng_.coin();
    for (size_t d = 0; d < whole_.size(); ++d) {
      const uint64_t chosen = alike || whole_.size() == 1 ? number : rng_.below(parts);
      const Value width = (whole_[d].high - whole_[d].low) / (Value)parts;
      const Value low = whole_[d].low + width * (Value)chosen;
      box.push_back({low, std::min(low + width, whole_[d].high)});
    }
    return box;
  }

  Value anywhere(const Span& span) { return span.low + (span.high - span.low) * (Value)rng_.uniform(); }

  ScoredPlace evolve(const Box& box, double share) {
    std::vector<ScoredPlace> population;
    while (population.size() < individuals && (population.empty() || !over(share))) {
      ScoredPlace individual;
      for (const Span& span : box)
        individual.place.push_back(anywhere(span));
      individual.fitness = trials_.over() ? 0 : fitness_at(individual.place);
      population.push_back(std::move(individual));
    }
    auto best = [&population] {
      return std::max_element(population.begin(), population.end(),
                              [](const ScoredPlace& a, const ScoredPlace& b) { return a.fitness < b.fitness; });
    };
    while (!over(share)) {
      const double factor = rng_.uniform(least_factor, most_factor);
      for (size_t i = 0; i < population.size() && !over(share); ++i) {
        ScoredPlace child{crossed(population, i, best()->place, factor, box), 0};
        child.fitness = fitness_at(child.place);
        if (child.fitness >= population[i].fitness)
          population[i] = std::move(child);
      }
    }
    return *best();
  }

  // Crosses the parent with the best plus a difference of two others.
  Place crossed(const std::vector<ScoredPlace>& population, size_t parent, const Place& best, double factor,
                const Box& box) {
    const Place& a = population[rng_.below(population.size())].place;
    const Place& b = population[rng_.below(population.size())].place;
    Place child = population[parent].place;
    const size_t certain = rng_.below(child.size());
    for (size_t d = 0; d < child.size(); ++d) {
      if (d != certain && rng_.uniform() >= recombination)
        continue;
      child[d] = best[d] + (Value)factor * (a[d] - b[d]);
      if (!box[d].contains(child[d]))
        child[d] = anywhere(box[d]);
    }
    return child;
  }

  // Metropolis: the quotient of the errors is the probability of a step to a smaller error.
  void walk(ScoredPlace at, double share) {
    Box neighbourhood;
    for (size_t d = 0; d < whole_.size(); ++d) {
      const Value reach = std::ldexp(1.0L, log_reach(d));
      neighbourhood.push_back(
          {std::max(whole_[d].low, at.place[d] - reach), std::min(whole_[d].high, at.place[d] + reach)});
    }
    while (!over(share)) {
      ScoredPlace next{stepped(at.place, neighbourhood), 0};
      next.fitness = fitness_at(next.place);
      if (rng_.uniform() * at.fitness <= next.fitness)
        at = std::move(next);
    }
  }

  int log_reach(size_t d) const {
    const Dimension& dimension = quest_.space.dimensions[d];
    return dimension.floating ? numeric::info(dimension.format).precision - spared_bits : 1;
  }

  Place stepped(Place place, const Box& neighbourhood) {
    const size_t certain = rng_.below(place.size());
    for (size_t d = 0; d < place.size(); ++d) {
      if (d != certain && rng_.coin())
        continue;
      const double size = std::ldexp(rng_.gaussian(), int(rng_.below(uint64_t(log_reach(d)))));
      const Value to = place[d] + (Value)size;
      place[d] = neighbourhood[d].contains(to) ? to : anywhere(neighbourhood[d]);
    }
    return place;
  }

  Quest& quest_;
  numeric::Rng& rng_;
  Trials trials_;
  Box whole_;
};

} // namespace

std::vector<Candidate> search_demc(Quest& quest) { return Demc(quest).run(); }

} // namespace faultline::search
