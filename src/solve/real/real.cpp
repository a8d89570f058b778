// Ariadne's search for a model (Barr, Vo, Le, Su, POPL 2013): reads the system over the reals and gives values to all
// variables but one. The rest are conditions on rational functions of one unknown, which root isolation turns into
// intervals. Floats of these are tried in the system itself, so every model is checked under float arithmetic. Never
// answers unsat, because reals are not floats.
#include "constraint/evaluate.h"
#include "numeric/random.h"
#include "solve/interval/propagation.h"
#include "solve/newton/definitions.h"
#include "solve/real/levels.h"
#include "solve/real/reading.h"
#include "solve/real/real_set.h"
#include "solve/solver.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace faultline::solve {

namespace {

constexpr size_t most_last = 240; // floats tried for the last variable
constexpr size_t most_choices = 12, most_kept = 3;

template <class T> void shuffle(std::vector<T>& list, numeric::Rng& rng) {
  for (size_t i = list.size(); i > 1; --i)
    std::swap(list[i - 1], list[rng.below(i)]);
}

// Returns NaN and infinities, if nothing else is possible.
std::vector<Bits> beyond_reals(const Domain& domain, BinaryFormat format) {
  std::vector<Bits> result;
  if (domain.numbers.empty() || domain.numbers.low == format.highest() || domain.numbers.high == format.lowest()) {
    if (domain.nan)
      result.push_back(format.nan());
    if (!domain.numbers.empty())
      result.push_back(format.at(domain.numbers.low));
  }
  return result;
}

// Ariadne's Algorithms 3 and 4 for each variable in turn: in some order of the variables, each gets a value under which
// the assertions that can then be decided hold.
//
// The paper fixes all variables but one blindly, with a check for trivially false conditions, and solves for the last
// one. Here each variable in turn is solved for, with the assertions without later variables: the cost is the same, and
// values that these assertions exclude are never chosen. Interval propagation over the floats, repeated after each
// choice, gives what the assertions with later variables exclude. The values and the last variable differ between
// attempts.
class Concretisation {
public:
  // `near`: models to start with; may be empty.
  Concretisation(const System& system, std::vector<Model> near, numeric::Rng rng, const Deadline& deadline,
                 Budget& budget)
      : system_(system), near_(std::move(near)), rng_(rng), budget_(budget), propagation_(system, true, &deadline),
        values_(system.size()), model_(system.variables().size()) {
    consistent_ = propagation_.start();
    pay_for_propagation();
    for (size_t i = 0; i < system.variables().size(); ++i)
      (system.sort(system.variables()[i].term).boolean ? booleans_ : floats_).push_back(i);
    for (const Node& node : system.nodes())
      if (node.form == Form::constant && !node.sort.boolean)
        if (const double value = numeric::double_of(node.value, node.sort.format); std::isfinite(value))
          constants_.push_back(value);
    std::sort(constants_.begin(), constants_.end());
    constants_.erase(std::unique(constants_.begin(), constants_.end()), constants_.end());
  }

  // False if propagation has proved that there is no model.
  bool consistent() const { return consistent_; }

  // Makes the next attempt: returns a checked model of the system, or none.
  std::optional<Model> attempt() {
    const Levels levels(system_, order());
    budget_.spend(30 * system_.size());
    base_ = near_.empty() ? nullptr : &near_[attempts_ % near_.size()];
    for (const constraint::Variable& variable : system_.variables()) {
      const Sort& sort = system_.sort(variable.term);
      const size_t place = size_t(system_.node(variable.term).value);
      values_[variable.term] = base_ ? (*base_)[place] : sort.boolean ? Bits(0) : numeric::bits_of(1.0, sort.format);
    }
    ++attempts_;
    readings_left_ = 16 + 3 * levels.count();
    levels.evaluate(0, 0, values_);
    if (!levels.hold(0, values_) || !dive(levels, 1))
      return std::nullopt;
    return model_;
  }

  // The number of attempts after which they repeat.
  size_t most_attempts() const {
    const size_t variables = floats_.size() + booleans_.size();
    return variables <= 1 ? 3 * std::max<size_t>(near_.size(), 1) : 200 + 50 * variables;
  }

private:
  // Booleans come first. The float variables take turns at the last place; the others initially keep their order.
  std::vector<size_t> order() {
    std::vector<size_t> floats = floats_, result = booleans_;
    if (attempts_ > floats.size())
      shuffle(floats, rng_);
    if (!floats.empty()) {
      const size_t last = floats_[floats_.size() - 1 - attempts_ % floats_.size()];
      std::erase(floats, last);
      floats.push_back(last);
    }
    result.insert(result.end(), floats.begin(), floats.end());
    return result;
  }

  bool dive(const Levels& levels, size_t level) {
    if (level == levels.count())
      return true;
    const Term variable = levels.variable_term(level);
    if (system_.sort(variable).boolean) {
      const Bits first = base_ && attempts_ <= near_.size() ? values_[variable] : Bits(rng_.coin());
      return try_values(levels, level, {first, 1 - first}, 2);
    }
    RealSet set = frame(variable);
    std::vector<Bits> choice = beyond_reals(propagation_.domain(variable), system_.sort(variable).format);
    if (!levels.assertions(level).empty()) {
      if (readings_left_ == 0)
        return false;
      --readings_left_;
      Reading reading(levels, level, values_, set, budget_);
      const auto solutions = reading.solutions();
      if (!solutions)
        return false;
      set = *solutions;
      std::vector<Bits> hits = reading.hits();
      shuffle(hits, rng_);
      choice.insert(choice.end(), hits.begin(), hits.end());
    }
    const bool last = level + 1 == levels.count();
    if (last) {
      choice.insert(choice.begin(), values_[variable]);
      const std::vector<Bits> more = floats_to_try(set, system_.sort(variable).format, most_last, rng_);
      choice.insert(choice.end(), more.begin(), more.end());
      return try_values(levels, level, choice, 1);
    }
    choice.resize(std::min(choice.size(), most_kept));
    const bool near_the_base = attempts_ <= std::max(near_.size(), floats_.size());
    const std::vector<Bits> more = near_the_base ? first_choice(set, variable) : random_choice(set, variable);
    choice.insert(near_the_base ? choice.end() : choice.begin(), more.begin(), more.end());
    return try_values(levels, level, choice, most_kept);
  }

  bool dive_with(const Levels& levels, size_t level, Bits bits) {
    if (level + 1 == levels.count())
      return true;
    const Term variable = levels.variable_term(level);
    const size_t mark = propagation_.mark();
    const bool consistent = propagation_.restrict(variable, only(system_.sort(variable), bits));
    pay_for_propagation();
    const bool found = consistent && dive(levels, level + 1);
    propagation_.undo(mark);
    return found;
  }

  // Continues with the first `most` values under which the level's assertions hold.
  bool try_values(const Levels& levels, size_t level, const std::vector<Bits>& values, size_t most) {
    size_t kept = 0;
    for (const Bits bits : values) {
      if (!budget_.spend(30 * levels.terms(level).size() + 30))
        return false;
      levels.evaluate(level, bits, values_);
      if (!levels.hold(level, values_))
        continue;
      model_[levels.variable(level)] = bits;
      if (dive_with(levels, level, bits))
        return true;
      if (++kept == most || readings_left_ == 0)
        return false;
    }
    return false;
  }

  std::vector<Bits> first_choice(const RealSet& set, Term variable) {
    std::vector<Bits> result;
    if (base_)
      result.push_back((*base_)[size_t(system_.node(variable).value)]);
    const std::vector<Bits> more = floats_to_try(set, system_.sort(variable).format, most_choices, rng_);
    result.insert(result.end(), more.begin(), more.end());
    return result;
  }

  std::vector<Bits> random_choice(const RealSet& set, Term variable) {
    std::vector<Bits> result = spread(set, variable);
    for (size_t i = 0; i < most_choices; ++i)
      if (rng_.below(3) != 0) {
        const std::vector<Bits> one = random_float(set, system_.sort(variable).format, rng_);
        result.insert(result.end(), one.begin(), one.end());
      } else {
        result.push_back(drawn(variable));
      }
    return result;
  }

  // Returns floats of the set from end to end, evenly in the long run: each a golden section further.
  std::vector<Bits> spread(const RealSet& set, Term variable) {
    if (set.empty())
      return {};
    const BinaryFormat format = system_.sort(variable).format;
    const FloatRange range =
        floats_within({set.intervals().front().low, set.intervals().back().high, true, true}, format);
    if (range.low > range.high)
      return {};
    spread_ = std::fmod(spread_ + 0.6180339887498949, 1);
    return {format.at(range.low + Int128((numeric::Value)(range.high - range.low) * spread_))};
  }

  // Draws a value for an unrestricted variable.
  Bits drawn(Term variable) {
    const BinaryFormat format = system_.sort(variable).format;
    const double sign = rng_.coin() ? 1 : -1;
    switch (rng_.below(6)) {
    case 0:
      if (base_)
        return (*base_)[size_t(system_.node(variable).value)];
      [[fallthrough]];
    case 1:
      return numeric::bits_of(sign * double(rng_.below(4)), format);
    case 2:
      if (!constants_.empty())
        return numeric::bits_of(sign * constants_[rng_.below(constants_.size())], format);
      [[fallthrough]];
    case 3:
      return numeric::bits_of(rng_.uniform(-100, 100), format);
    default: { // any power of two
      const auto exponent = uint64_t(format.max_exponent() - format.min_exponent() + 1);
      const Bits power = Bits(1 + rng_.below(exponent)) << format.fraction_bits();
      return power | (sign < 0 ? format.sign() : 0);
    }
    }
  }

  // Returns the range of a variable after propagation.
  RealSet frame(Term variable) const {
    const BinaryFormat format = system_.sort(variable).format;
    const Range& numbers = propagation_.domain(variable).numbers;
    const Int128 largest = Int128(format.largest());
    RealInterval interval{real_number(0), real_number(0), true, true};
    numeric::set_bits(interval.low.raw(), format.at(std::max(numbers.low, -1 - largest)), format);
    numeric::set_bits(interval.high.raw(), format.at(std::min(numbers.high, largest)), format);
    return numbers.low > largest || numbers.high < -1 - largest || numbers.empty() ? RealSet()
                                                                                   : RealSet::between(interval);
  }

  void pay_for_propagation() {
    constexpr uint64_t a_projection = 200;
    budget_.spend(a_projection * (propagation_.projections() - paid_));
    paid_ = propagation_.projections();
  }

  const System& system_;
  std::vector<Model> near_;
  numeric::Rng rng_;
  Budget& budget_;
  Propagation propagation_;
  bool consistent_ = false;
  std::vector<size_t> booleans_, floats_;
  std::vector<double> constants_;
  std::vector<Bits> values_; // by term
  Model model_;
  const Model* base_ = nullptr; // of the current attempt
  size_t attempts_ = 0, readings_left_ = 0;
  uint64_t paid_ = 0; // projections
  double spread_ = 0;
};

constexpr size_t most_variables = 300, most_terms = 50'000;

bool hopeless(const System& system) {
  return std::any_of(system.assertions().begin(), system.assertions().end(),
                     [&](Term term) { return system.node(term).form == Form::constant; });
}

// Searches one form of the system: with machine equalities as definitions, or without.
std::optional<Model> search(const Question& question, const Reduced& reduced, const Deadline& deadline, Budget& budget,
                            size_t& attempts) {
  if (reduced.system.variables().size() > most_variables || reduced.system.size() > most_terms)
    return std::nullopt;
  std::vector<Model> near;
  for (const Model& model : question.near)
    near.push_back(restricted(question.system, reduced, model));
  Concretisation concretisation(reduced.system, std::move(near), numeric::Rng(question.seed).fork("real"), deadline,
                                budget);
  for (size_t i = 0; concretisation.consistent() && i < concretisation.most_attempts() && !budget.over(); ++i) {
    ++attempts;
    if (const auto found = concretisation.attempt())
      if (Model model = reduced.complete(*found); satisfies(question.system, model))
        return model;
  }
  return std::nullopt;
}

} // namespace

Result solve_real(const Question& question) {
  const Deadline deadline(question.seconds);
  Budget budget(question.effort, deadline);
  size_t attempts = 0;
  for (const bool machine_equality : {true, false}) {
    const Reduced reduced = without_definitions(question.system, machine_equality);
    if (machine_equality || !hopeless(reduced.system))
      if (auto model = search(question, reduced, deadline, budget, attempts))
        return {.answer = Answer::sat, .model = std::move(*model), .solver = "real"};
    if (!reduced.lossy)
      break;
  }
  return {.solver = "real", .reason = "no model found by " + std::to_string(attempts) + " concretisations"};
}

} // namespace faultline::solve
