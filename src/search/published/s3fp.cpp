// S3FP's binary guided random testing (Chiang, Gopalakrishnan, Rakamarić, Solovyev: Efficient Search for Inputs Causing
// High Floating-Point Errors, PPoPP 2014), as the FPGen paper describes and configures it.
//
// A configuration gives each input an interval. The inputs are split at random into two sets and every interval is
// halved; the upper or lower halves of one set with the upper or lower halves of the other make up to four tighter
// configurations. Each is judged by the errors of a few random inputs from it; the one with the largest is halved next.
// Now and then the search starts again.
//
// From the FPGen paper: the first configuration is random; one partition a step and one input a configuration. The
// probability of a new start, 0.2, is that of the released tool. S3FP needs a range for every input. Here the range may
// be the whole format, so the ends of every other first configuration are uniform over the floats instead of the reals;
// halving is over the reals, always. The number of evaluations, which was a time limit, is ours.
#include "search/published/trials.h"
#include "search/strategy.h"

#include <algorithm>

namespace faultline::search {
namespace {

constexpr uint64_t default_evaluations = 100'000; // what `faultline bench gsl` gives each strategy it compares
constexpr int partitions = 1;                     // N_part: FPGen's section 4, baselines
constexpr int samples = 1;                        // k, of a configuration: the same
constexpr double new_start = 0.2;                 // the released tool's

struct Interval {
  long double low, high;
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
    const long double share = rng.uniform();
    const Interval& interval = configuration[i];
    const long double value = interval.low * (1 - share) + interval.high * share;
    input.push_back(space.dimensions[i].nearest(std::clamp(value, interval.low, interval.high)));
  }
  return input;
}

long double middle(const Interval& interval, const Dimension& dimension) {
  return dimension.nearest(interval.low / 2 + interval.high / 2);
}

bool can_be_halved(const Configuration& configuration, const Space& space) {
  for (size_t i = 0; i < configuration.size(); ++i) {
    const long double at = middle(configuration[i], space.dimensions[i]);
    if (at > configuration[i].low && at < configuration[i].high)
      return true;
  }
  return false;
}

// `upper`: which half each set takes.
Configuration halved(const Configuration& configuration, const Space& space, const std::vector<bool>& in_second_set,
                     const bool (&upper)[2]) {
  Configuration tighter = configuration;
  for (size_t i = 0; i < tighter.size(); ++i) {
    const long double at = middle(tighter[i], space.dimensions[i]);
    (upper[in_second_set[i]] ? tighter[i].low : tighter[i].high) = at;
  }
  return tighter;
}

// The tighter configuration with the largest error; the first of equals, beginning anywhere.
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

} // namespace faultline::search
