// S3FP's binary guided random testing (Chiang, Gopalakrishnan, Rakamarić, Solovyev: Efficient Search for Inputs Causing
// High Floating-Point Errors, PPoPP 2014), as the FPGen paper describes and configures it.
//
// A configuration gives each input an interval. The inputs are split at random into two sets, and every interval is
// halved. The upper or lower halves of one set with the upper or lower halves of the other make up to four tighter
// configurations. Each is judged by the errors of a few random inputs from it; the one with the largest error is halved
// next. Sometimes the search restarts.
//
// From the FPGen paper: the first configuration is random; one partition per step and one input per configuration. The
// restart probability, 0.2, is that of the released tool. S3FP needs a range for every input. Here the range may be the
// whole format, so the ends of every other first configuration are uniform over the floats instead of the reals.
// Halving is always over the reals. The number of evaluations, originally a time limit, is ours.
#include "ops/table.h"
#include "search/published/trials.h"
#include "search/strategy.h"
#include "tape/adjoint.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <tuple>

namespace faultline::search {

namespace {

constexpr uint64_t default_evaluations = 100'000; // as `faultline bench gsl` gives each strategy it compares
constexpr int partitions = 1;                     // N_part: FPGen's section 4, baselines
constexpr int samples = 1;                        // per configuration: the same section
constexpr double new_start = 0.2;                 // from the released tool

struct Interval {
  Value low, high;
};
using Configuration = std::vector<Interval>;

Configuration first_configuration(const Space& space, bool over_floats, numeric::Rng& rng) {
  const exec::Input a = over_floats ? space.sample_floats(rng) : space.sample_reals(rng);
  const exec::Input b = over_floats ? space.sample_floats(rng) : space.sample_reals(rng);
  Configuration configuration;
  for (size_t i = 0; i < a.size(); ++i)
    configuration.push_back({std::min(a[i], b[i]), std::max(a[i], b[i])});
  return configuration;
}

exec::Input sample(const Configuration& configuration, const Space& space, numeric::Rng& rng) {
  exec::Input input;
  for (size_t i = 0; i < configuration.size(); ++i) {
    const Value share = rng.uniform();
    const Interval& interval = configuration[i];
    const Value value = interval.low * (1 - share) + interval.high * share;
    input.push_back(space.dimensions[i].nearest(std::clamp(value, interval.low, interval.high)));
  }
  return input;
}

Value middle(const Interval& interval, const Dimension& dimension) {
  return dimension.nearest(interval.low / 2 + interval.high / 2);
}

bool can_be_halved(const Configuration& configuration, const Space& space) {
  for (size_t i = 0; i < configuration.size(); ++i) {
    const Value at = middle(configuration[i], space.dimensions[i]);
    if (at > configuration[i].low && at < configuration[i].high)
      return true;
  }
  return false;
}

// `upper`: the half that each set takes.
Configuration halved(const Configuration& configuration, const Space& space, const std::vector<bool>& in_second_set,
                     const bool (&upper)[2]) {
  Configuration tighter = configuration;
  for (size_t i = 0; i < tighter.size(); ++i) {
    const Value at = middle(tighter[i], space.dimensions[i]);
    (upper[in_second_set[i]] ? tighter[i].low : tighter[i].high) = at;
  }
  return tighter;
}

// The tighter configuration with the largest error; among equals the first from a random start.
Configuration tightened(const Configuration& configuration, Quest& quest, Trials& trials) {
  Configuration best;
  double largest = -1;
  std::vector<bool> in_second_set(configuration.size());
  for (int partition = 0; partition < partitions; ++partition) {
    for (size_t i = 0; i < in_second_set.size(); ++i)
      in_second_set[i] = quest.rng.coin();
    const bool two_sets =
        std::find(in_second_set.begin(), in_second_set.end(), !in_second_set[0]) != in_second_set.end();
    const uint64_t choices = two_sets ? 4 : 2, start = quest.rng.below(choices);
    for (uint64_t choice = 0; choice < choices && !trials.over(); ++choice) {
      const uint64_t turned = (start + choice) % choices;
      const bool first = turned % 2 != 0, second = two_sets ? turned / 2 != 0 : first;
      Configuration tighter = halved(configuration, quest.space, in_second_set, {first, second});
      double fitness = 0;
      for (int i = 0; i < samples && !trials.over(); ++i)
        fitness = std::max(fitness, trials.fitness_of(sample(tighter, quest.space, quest.rng)));
      if (fitness > largest) {
        largest = fitness;
        best = std::move(tighter);
      }
    }
  }
  return best;
}

} // namespace

std::vector<Candidate> search_s3fp(Quest& quest) {
  Trials trials(quest, default_evaluations);
  for (uint64_t start = 0; !trials.over(); ++start) {
    Configuration configuration = first_configuration(quest.space, start % 2 == 0, quest.rng);
    do {
      configuration = tightened(configuration, quest, trials);
    } while (!trials.over() && can_be_halved(configuration, quest.space) && quest.rng.uniform() >= new_start);
  }
  return trials.best("s3fp");
}

// ATOMU (Zou, Zeng, Xiong, Fu, Zhang, Su: Detecting Floating-Point Errors via Atomic Conditions, POPL 2020),
// Algorithm 1.
//
// Random inputs come first. Then an evolutionary search looks for the input with the largest atomic condition at each
// potentially unstable operation that was reached: rank selection with a geometric distribution, mutation by a Gaussian
// whose width tapers from 1e-2 to 1e-13. Inputs whose condition exceeds 10 are candidates. They rank higher the fewer
// operations follow the unstable one (section 4.4).
//
// The paper proposes one input per operation. Where the result of an operation is zero, its condition is infinite for
// many inputs, and the first of them may have no large error, so a few of the next ranks follow.
//
// The paper's pools hold all inputs. Here they hold the best few of each operation, since the probability of selecting
// a lower rank is below 1e-9. The paper's functions have one input. With several, a random half of them is mutated, and
// a third of the initial inputs have similar magnitudes, since other inputs hardly ever cancel.

namespace {

constexpr uint64_t initial_tests = 100'000; // initSize, section 5.1
constexpr uint64_t iterations = 10'000;     // iterSize, section 5.1
constexpr double geometric = 0.2;           // alpha, the example of section 4.3
constexpr double sigma_start = 1e-2;        // section 5.1
constexpr double sigma_end = 1e-13;         // the same
constexpr double unstable_threshold = 10;   // section 5.3.1

// Ours.
constexpr size_t pool_size = 96;             // 0.8^96 is 5e-10: the probability of selecting a lower rank
constexpr double initial_share = 0.3;        // of a budget that is too small for all of it: a guess
constexpr uint64_t alike_one_in = 3;         // initial inputs: a guess
constexpr uint64_t integer_moves_one_in = 8; // mutations, by one: a guess
// Candidates per operation: its best, and after the best of all operations the ranks 1, 3, 7 and 15. A guess.
constexpr size_t last_rank = 15;

struct RankedTrial {
  exec::Input input;
  double condition = 0;
  uint64_t steps = 0;  // operations from the unstable one to the end
  bool finite = false; // some output is finite and can have a rounding error
};

// The tests of one operation, largest condition first.
class Pool {
public:
  bool wants(double condition, bool finite) const {
    return members_.size() < pool_size ||
           std::tuple(condition, finite) > std::tuple(members_.back().condition, members_.back().finite);
  }

  void add(RankedTrial individual) {
    if (std::any_of(members_.begin(), members_.end(), [&](const RankedTrial& other) {
          return other.condition == individual.condition && other.input == individual.input;
        }))
      return; // repeated ends of a range
    auto place =
        std::upper_bound(members_.begin(), members_.end(), individual, [](const RankedTrial& a, const RankedTrial& b) {
          return std::tuple(a.condition, a.finite) > std::tuple(b.condition, b.finite);
        });
    members_.insert(place, std::move(individual));
    if (members_.size() > pool_size)
      members_.pop_back();
  }

  // P(rank r) proportional to alpha * (1 - alpha)^(r - 1).
  const RankedTrial& select(numeric::Rng& rng) const {
    size_t rank = 0;
    do {
      rank = 0;
      while (rng.uniform() >= geometric)
        ++rank;
    } while (rank >= members_.size());
    return members_[rank];
  }

  bool empty() const { return members_.empty(); }
  const std::vector<RankedTrial>& members() const { return members_; }

private:
  std::vector<RankedTrial> members_;
};

bool has_finite_output(const tape::Tape& tape, const std::vector<size_t>& outputs) {
  return std::any_of(outputs.begin(), outputs.end(),
                     [&](size_t output) { return std::isfinite(tape.outputs()[output].value); });
}

uint64_t steps_after(const tape::Tape& tape, uint32_t record) {
  uint64_t steps = 0;
  for (uint32_t index = record + 1; index < tape.size(); ++index)
    steps += !ops::is_leaf(tape.site(index).op);
  return steps;
}

exec::Input mutate(const exec::Input& parent, double sigma, const Space& space, numeric::Rng& rng) {
  exec::Input child = parent;
  const size_t chosen = rng.below(child.size());
  for (size_t i = 0; i < child.size(); ++i) {
    const Dimension& dimension = space.dimensions[i];
    if (dimension.held() || (i != chosen && rng.coin()))
      continue;
    const Value step = child[i] * (Value)(rng.gaussian() * sigma);
    if (dimension.floating)
      child[i] = dimension.reflected(child[i] + step);
    else if (rng.below(integer_moves_one_in) == 0)
      child[i] = dimension.nearest(child[i] + (rng.coin() ? 1 : -1));
  }
  return child;
}

std::vector<Pool> initial_pools(Quest& quest) {
  std::vector<Pool> pools(quest.evaluator.session().sites().sites.size());
  std::vector<tape::SiteCondition> worst;
  for (uint64_t i = 0; i < initial_tests && !quest.evaluator.spent(initial_share); ++i) {
    const bool alike = quest.space.dimensions.size() > 1 && i % alike_one_in == alike_one_in - 1;
    exec::Input input = alike ? quest.space.sample_alike(quest.rng) : quest.space.sample_floats(quest.rng);
    tape::Tape tape = quest.evaluator.run(input);
    if (!quest.evaluator.usable())
      continue;
    quest.evaluator.charge(tape.size());
    tape::worst_conditions(tape, worst);
    const bool finite = has_finite_output(tape, quest.outputs);
    for (size_t site = 0; site < worst.size(); ++site)
      if (worst[site].record != 0 && pools[site].wants(worst[site].condition, finite))
        pools[site].add({input, worst[site].condition, steps_after(tape, worst[site].record), finite});
  }
  return pools;
}

void evolve(Quest& quest, uint32_t site, Pool& pool, uint64_t steps) {
  for (uint64_t j = 0; j < steps && !quest.evaluator.spent(); ++j) {
    const double progress = double(j) / double(steps);
    const double sigma = std::pow(sigma_start, 1 - progress) * std::pow(sigma_end, progress);
    exec::Input child = mutate(pool.select(quest.rng).input, sigma, quest.space, quest.rng);
    tape::Tape tape = quest.evaluator.run(child);
    if (!quest.evaluator.usable())
      continue;
    quest.evaluator.charge(tape.size());
    const tape::SiteCondition reached = tape::worst_condition(tape, site);
    const bool finite = has_finite_output(tape, quest.outputs);
    if (reached.record != 0 && pool.wants(reached.condition, finite))
      pool.add({std::move(child), reached.condition, steps_after(tape, reached.record), finite});
  }
}

} // namespace

std::vector<Candidate> search_atomu(Quest& quest) {
  std::vector<Pool> pools = initial_pools(quest);
  struct Ranked {
    size_t rank;
    uint32_t site;
    const RankedTrial* individual;
  };
  std::vector<Ranked> unstable;
  auto waiting = uint64_t(std::count_if(pools.begin(), pools.end(), [](const Pool& pool) { return !pool.empty(); }));
  for (uint32_t site = 0; site < pools.size(); ++site) {
    if (pools[site].empty())
      continue;
    // Divides a small budget, so that the search at every operation runs to its end.
    evolve(quest, site, pools[site],
           std::min(iterations, quest.evaluator.evaluations_left().value_or(~uint64_t(0)) / waiting--));
    size_t rank = 0; // among those with a possible error
    for (const RankedTrial& individual : pools[site].members()) {
      if (!individual.finite || individual.condition <= unstable_threshold)
        continue;
      if (std::has_single_bit(rank + 1) && rank <= last_rank)
        unstable.push_back({rank, site, &individual});
      ++rank;
    }
  }
  std::sort(unstable.begin(), unstable.end(), [](const Ranked& a, const Ranked& b) {
    return std::tuple(a.rank, a.individual->steps, a.site) < std::tuple(b.rank, b.individual->steps, b.site);
  });
  std::vector<Candidate> candidates;
  for (const Ranked& ranked : unstable)
    candidates.push_back({ranked.individual->input, ranked.site, ranked.individual->condition, "atomu"});
  return candidates;
}

} // namespace faultline::search
