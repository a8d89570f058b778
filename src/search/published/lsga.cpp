// LSGA (Zou, Wang, Xiong, Zhang, Su, Mei: A Genetic Algorithm for Detecting Significant Floating-Point Inaccuracies,
// ICSE 2015), section IV.C.
//
// Large errors come from few exponents but from many significands. So exponents evolve and significands are always
// random. The initial population covers all exponents evenly, those around the median five times as densely. Then an
// individual with a large error is selected, mutated and added, repeatedly. There is no removal and no crossover.
//
// From the paper: the width 2^ceil(k/2) of the dense part, k being the bits of an exponent; as many mutations as
// initial individuals; groups within two orders of magnitude of error, selected by rank; a step of the exponent whose
// variance is the length of its interval; a sign flipped with probability 0.1; with several inputs, a random interval
// for each, and all of them mutated. The probability of selecting the first group and the number of evaluations are
// lost in our copy: 0.5 and 1000 are ours. An integer, which the paper does not have, is redrawn as often as a sign is
// flipped.
//
// A group keeps a fair sample of its members, since one is picked at random: a long search does not fill the memory.
#include "search/published/trials.h"
#include "search/strategy.h"

#include <algorithm>
#include <bit>
#include <climits>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

namespace faultline::search {
namespace {

// From the paper, section IV.C.
constexpr double initial_half = 0.5;      // n = m: as many mutations as initial individuals
constexpr double density = 5;             // of intervals around the median
constexpr double orders_of_magnitude = 2; // within a group
constexpr double flip_sign = 0.1;         // q

// Lost in our copy of the paper: guesses.
constexpr uint64_t evaluations_of_paper = 1000;
constexpr double first_group = 0.5; // p

// Ours.
constexpr size_t sample_of_group = 1000; // a guess
constexpr double golden_section = 0.618; // strides of it are evenly spread

// The exponents of a dimension in n intervals. A position in [0, n) gives an exponent and the place in its interval.
class Intervals {
public:
  Intervals(const Dimension& dimension, uint64_t n) {
    const Exponents possible = exponents_in_range(dimension);
    const int median = numeric::info(dimension.format).max_exponent; // 1023 for binary64
    const int k = std::bit_width(unsigned(2 * median));
    const int t = 1 << ((k + 1) / 2);
    first_ = possible.first;
    end_ = possible.last + 1;
    dense_first_ = std::clamp<double>(median - t, first_, end_);
    dense_end_ = std::clamp<double>(median + t + 1, first_, end_);
    length_ = (end_ - first_ + (density - 1) * (dense_end_ - dense_first_)) / double(n);
  }

  // `place` from 0 to n.
  int exponent(double place) const {
    const double at = place * length_;
    const double before = dense_first_ - first_, within = density * (dense_end_ - dense_first_);
    const double exponent = at < before            ? first_ + at
                            : at < before + within ? dense_first_ + (at - before) / density
                                                   : dense_end_ + (at - before - within);
    return int(std::min(std::floor(exponent), end_ - 1));
  }

  double length(int exponent) const {
    return exponent >= dense_first_ && exponent < dense_end_ ? length_ / density : length_;
  }

private:
  double first_, end_, dense_first_, dense_end_;
  double length_; // of an interval outside the dense part
};

// All individuals, by the magnitude of their errors.
class Population {
public:
  void add(const exec::Input& input, double fitness, numeric::Rng& rng) {
    Group& group = groups_[fitness > 0 ? int(std::floor(std::log10(fitness) / orders_of_magnitude)) : INT_MIN];
    ++group.size;
    if (group.sample.size() < sample_of_group)
      group.sample.push_back(input);
    else if (const uint64_t place = rng.below(group.size); place < sample_of_group)
      group.sample[place] = input;
  }

  const exec::Input& select(numeric::Rng& rng) const {
    auto group = groups_.begin();
    while (rng.uniform() >= first_group)
      if (++group == groups_.end())
        group = groups_.begin();
    return group->second.sample[rng.below(group->second.sample.size())];
  }

private:
  struct Group {
    uint64_t size = 0;
    std::vector<exec::Input> sample;
  };
  std::map<int, Group, std::greater<>> groups_;
};

class Lsga {
public:
  explicit Lsga(Quest& quest)
      : quest_(quest), rng_(quest.rng), trials_(quest, evaluations_of_paper),
        size_(std::max<uint64_t>(1, uint64_t(double(trials_.planned()) * initial_half))) {
    for (const Dimension& dimension : quest.space.dimensions)
      intervals_.emplace_back(dimension, size_);
  }

  std::vector<Candidate> run() {
    generate();
    while (!trials_.over())
      add(mutated(population_.select(rng_)));
    return trials_.best("lsga");
  }

private:
  void add(const exec::Input& input) { population_.add(input, trials_.fitness_of(input), rng_); }

  // Covers each interval of an input once, in strides: a search cut short has seen all magnitudes.
  void generate() {
    const bool one = quest_.space.dimensions.size() == 1;
    auto stride = uint64_t(double(size_) * golden_section) + 1;
    while (std::gcd(stride, size_) != 1)
      ++stride;
    uint64_t interval = rng_.below(size_);
    for (uint64_t i = 0; i < size_ && !trials_.over() && !quest_.evaluator.spent(initial_half); ++i) {
      exec::Input input;
      for (size_t d = 0; d < intervals_.size(); ++d)
        input.push_back(generated(d, one ? interval : rng_.below(size_)));
      add(input);
      interval = (interval + stride) % size_;
    }
  }

  Value generated(size_t d, uint64_t interval) {
    const Dimension& dimension = quest_.space.dimensions[d];
    if (dimension.held() || !dimension.floating)
      return dimension.draw(rng_);
    const int exponent = intervals_[d].exponent(double(interval) + rng_.uniform());
    return random_significand(dimension, rng_.coin(), exponent, rng_);
  }

  exec::Input mutated(exec::Input input) {
    for (size_t d = 0; d < input.size(); ++d) {
      const Dimension& dimension = quest_.space.dimensions[d];
      if (dimension.held())
        continue;
      const bool flip = rng_.uniform() < flip_sign;
      if (dimension.floating) {
        const int exponent = exponent_of(dimension, input[d]);
        const int step = int(std::lrint(rng_.gaussian() * std::sqrt(intervals_[d].length(exponent))));
        input[d] = random_significand(dimension, is_negative(dimension, input[d]) != flip, exponent + step, rng_);
      } else if (flip) {
        input[d] = dimension.draw(rng_);
      }
    }
    return input;
  }

  Quest& quest_;
  numeric::Rng& rng_;
  Trials trials_;
  uint64_t size_; // of the initial population
  std::vector<Intervals> intervals_;
  Population population_;
};

} // namespace

std::vector<Candidate> search_lsga(Quest& quest) { return Lsga(quest).run(); }

} // namespace faultline::search
