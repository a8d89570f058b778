#include "search/climb.h"

#include "tape/shadow.h"

#include <algorithm>
#include <bit>

namespace faultline::search {
namespace {

using numeric::Int128;

// Guesses that work on the functions of `make exhaustive`.
constexpr size_t places = 32;          // starting points of climbs
constexpr uint64_t first_samples = 64; // for each of them
constexpr uint64_t sampled_one_in = 4; // of the later evaluations: from the whole range
constexpr uint64_t best_one_in = 4;    // steps: from the best place
constexpr size_t kept_points = 24;     // candidates for the oracle

uint64_t binary_digits(Int128 number) {
  const auto high = uint64_t(number >> 64), low = uint64_t(number);
  return high ? uint64_t(64 + std::bit_width(high)) : uint64_t(std::bit_width(low));
}

// In records: the cost of starting and ending a run, which dominates short runs. With 1.6 million runs of four
// operations per second, the count ends such a search before the clock does.
constexpr uint64_t cost_of_a_run = 16;

struct Place {
  exec::Input input;
  double error = -1; // no input yet
};

class Climb {
public:
  explicit Climb(Quest& quest)
      : quest_(quest), rng_(quest.own_rng("climb")), cells_(quest.evaluator.session().target().outputs),
        places_(places) {}

  std::vector<Candidate> run() {
    free_ = quest_.space.free();
    if (free_.empty())
      return {};
    if (can_try_all())
      try_all();
    else
      search();
    return best();
  }

private:
  // Tries every value of a single input that has few of them.
  bool can_try_all() {
    if (free_.size() != 1)
      return false;
    const Evaluator& evaluator = quest_.evaluator;
    evaluate(quest_.space.sample_floats(rng_)); // measures the cost of a run
    const uint64_t before = evaluator.records();
    evaluate(quest_.space.sample_floats(rng_));
    const uint64_t cost = evaluator.records() - before + 1;
    return quest_.space.dimensions[free_[0]].width() < Int128(evaluator.records_left() / cost) &&
           quest_.space.dimensions[free_[0]].width() < Int128(evaluator.evaluations_left().value_or(~uint64_t(0)));
  }

  void try_all() {
    const Dimension& dimension = quest_.space.dimensions[free_[0]];
    exec::Input input = quest_.space.sample_floats(rng_);
    const Int128 low = dimension.order(dimension.low), high = dimension.order(dimension.high);
    for (Int128 at = low; at <= high && !quest_.evaluator.spent(); ++at) {
      input[free_[0]] = dimension.at(at);
      offer({input, evaluate(input)});
    }
  }

  void search() {
    for (uint64_t i = 0; i < first_samples * places && !quest_.evaluator.spent(); ++i)
      offer(sampled());
    while (!quest_.evaluator.spent()) {
      if (rng_.below(sampled_one_in) == 0) {
        offer(sampled());
        continue;
      }
      Place& from = rng_.below(best_one_in) == 0 ? *best_place() : places_[rng_.below(places_.size())];
      Place to{moved(from.input), 0};
      to.error = evaluate(to.input);
      if (to.error > from.error)
        from = std::move(to);
    }
  }

  std::vector<Place>::iterator best_place() { return std::ranges::max_element(places_, {}, &Place::error); }

  // Replaces the worst place if this one is better.
  void offer(Place place) {
    if (place.error <= worst_)
      return;
    *std::ranges::min_element(places_, {}, &Place::error) = std::move(place);
    worst_ = std::ranges::min_element(places_, {}, &Place::error)->error;
  }

  Place sampled() {
    const uint64_t kind = rng_.below(free_.size() > 1 ? 3 : 2);
    Place place{kind == 0   ? quest_.space.sample_floats(rng_)
                : kind == 1 ? quest_.space.sample_reals(rng_)
                            : quest_.space.sample_alike(rng_),
                0};
    place.error = evaluate(place.input);
    return place;
  }

  // Moves at least one input, others by chance. Each number of binary digits of a step is equally likely.
  exec::Input moved(exec::Input input) {
    if (input.empty())
      return quest_.space.sample_floats(rng_);
    const size_t surely = free_[rng_.below(free_.size())];
    for (const size_t i : free_) {
      if (i != surely && rng_.coin())
        continue;
      const Dimension& dimension = quest_.space.dimensions[i];
      const Int128 width = dimension.width();
      const Int128 size = 1 + uniform_between(0, (Int128(1) << rng_.below(binary_digits(width))) - 1, rng_);
      const Int128 to = dimension.order(input[i]) + (rng_.coin() ? size : -size);
      input[i] = dimension.at_within(to);
    }
    return input;
  }

  // The largest error of the outputs. An error below the smallest normal number is an underflow.
  double evaluate(const exec::Input& input) {
    const tape::Tape tape = quest_.evaluator.run(input);
    if (!quest_.evaluator.usable())
      return 0;
    quest_.evaluator.charge(sweep_cost * tape.size() + cost_of_a_run);
    residues_.read(tape, quest_.outputs);
    double most = 0;
    for (const size_t output : quest_.outputs) {
      const exec::OutputValue& value = tape.outputs()[output];
      if (value.record == 0 || !std::isfinite(value.value) || !residues_.is_known(value.record))
        continue;
      const numeric::Format format = cells_[output].type.format;
      const tape::ErrorSizes sizes = tape::sizes_of(residues_.shadow(tape, value.record), format, quest_.floor);
      if (sizes.absolute >= numeric::smallest_normal(format))
        most = std::max(most, size_of(sizes));
    }
    return most;
  }

  double size_of(const tape::ErrorSizes& sizes) const {
    switch (quest_.counted_in) {
    case ErrorMeasure::absolute:
      return sizes.absolute;
    case ErrorMeasure::ulps:
      return sizes.ulps;
    case ErrorMeasure::relative:
      break;
    }
    return sizes.relative;
  }

  std::vector<Candidate> best() {
    std::ranges::sort(places_, std::ranges::greater{}, &Place::error);
    std::vector<Candidate> candidates;
    for (Place& place : places_)
      if (place.error > 0 && candidates.size() < kept_points)
        candidates.push_back({std::move(place.input), 0, place.error, "climb"});
    return candidates;
  }

  Quest& quest_;
  numeric::Rng rng_;
  const std::vector<model::Cell>& cells_;
  std::vector<size_t> free_; // dimensions
  std::vector<Place> places_;
  double worst_ = -1; // error of the places
  tape::Residues residues_;
};

} // namespace

std::vector<Candidate> climb(Quest& quest) { return Climb(quest).run(); }

} // namespace faultline::search
