#include "judge/diagnosis/completion.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace faultline::judge {

using exec::Input;
using numeric::Int128;
using numeric::Value;
using search::Dimension;

namespace {

// Inputs where formulas are exact or change: a rewrite that is right to a few ulps elsewhere may lose exactness here.
constexpr Value round_values[] = {0,    1,    -1,   2,    0.5L, -2,   3,        0.25L, 10,    0.1L,  100,  -0.5L, 4,
                                  1e3L, -3,   1e-3, 0.75, 1.5L, 5,    -10,      1e6L,  1e-6L, 0.125, 8,    7,     1e9L,
                                  20,   0.9L, 16,   1e-9, 64,   0.3L, 0x1p-10L, 1024,  50,    1.25,  2.5L, -0.25L};

// Inputs like the finding's: an error that shows nowhere near it is an accidental jump of the code.
constexpr size_t fewest_helped = 10;
// The expected number of inputs, among those tried, at which the code is better by chance. Less for doubtful changes: a
// wider format, which is a last resort, and one known to do harm on the other side of a bound.
constexpr double most_risk = 1e-3, most_doubtful_risk = 1e-4;

// One remedy, tried on the inputs one after the other.
class Attempt {
public:
  Attempt(const explain::Remedy& remedy, Bench& bench)
      : remedy_(remedy), bench_(bench), draws_(bench.draws), allowance_(bench.allowance) {}

  std::optional<TrialOutcome> evaluate() {
    if (!try_all() || !look_around() || !fill_up())
      return std::nullopt;
    std::optional<TrialCondition> condition;
    if (worse_ > 0 && !(condition = condition_found()))
      return std::nullopt;
    const TrialCondition* where = condition ? &*condition : nullptr;
    if (!is_proven(where) || !is_confirmed(condition))
      return std::nullopt;
    return TrialOutcome{tried(where), condition};
  }

private:
  // Adds inputs up to the goal. Half of them reach the place, if such inputs are found near those that do.
  bool fill_up() {
    std::vector<size_t> reached;
    for (size_t i = 0; i < results_.size(); ++i)
      if (results_[i].effect != Effect::none)
        reached.push_back(i);
    size_t count = tried(nullptr), coming_by = reached.size();
    while ((count < bench_.goal || coming_by < bench_.goal / 2) && results_.size() < 2 * bench_.goal) {
      if (is_over())
        return false;
      const exec::Input& shown = results_[reached[draws_.rng().below(reached.size())]].input;
      TrialInput input{draws_.rng().below(3) > 0 ? draws_.near(shown) : draws_.ordinary()};
      const Effect effect = try_on(input);
      count += effect != Effect::unknown;
      coming_by += effect != Effect::none;
    }
    return true;
  }

  // True if nothing more can be tried.
  bool is_over() { return allowance_ == 0 || endless_ > 1 || bench_.out_of_time(); }

  Effect try_on(TrialInput& input) {
    const ComparisonResult compared = bench_.comparison.compare(input, remedy_.change);
    allowance_ -= std::min(allowance_, std::max(compared.records, least_of_trial));
    endless_ += !compared.ended;
    worse_ += compared.effect == Effect::worse;
    results_.push_back({input.input, compared.effect});
    details_.push_back(compared);
    return compared.effect;
  }

  // Stops if there is enough harm and no condition is likely to exclude it.
  bool try_all() {
    constexpr size_t block = 64, telling = 10;
    while (results_.size() < bench_.inputs.size()) {
      if (is_over())
        return false;
      try_on(bench_.inputs[results_.size()]);
      if (results_.size() % block == 0 && worse_ >= telling && !condition_for(results_, bench_.space))
        return false;
    }
    return true;
  }

  // Tries inputs near those at which it did worst.
  bool look_around() {
    std::vector<size_t> order;
    for (size_t i = 0; i < details_.size(); ++i)
      if (details_[i].harm > 0 && details_[i].effect != Effect::worse)
        order.push_back(i);
    constexpr size_t places = 8;
    const size_t count = std::min(places, order.size());
    std::ranges::partial_sort(order, order.begin() + long(count), std::greater(),
                              [&](size_t i) { return details_[i].harm; });
    for (size_t i = 0; i < bench_.around_worst && count > 0; ++i) {
      if (is_over())
        return false;
      TrialInput near{draws_.near(results_[order[i % count]].input)};
      try_on(near);
    }
    return true;
  }

  bool holds(const TrialCondition* condition, size_t i) const {
    return !condition || condition->holds(results_[i].input, bench_.space);
  }
  size_t tried(const TrialCondition* condition) const {
    size_t count = 0;
    for (size_t i = 0; i < results_.size(); ++i)
      count += holds(condition, i) && results_[i].effect != Effect::unknown;
    return count;
  }

  // True if enough was tried, it helps, and it is the same function: a change that should agree with the code somewhere
  // and does not is not an equivalent form, whatever the reference.
  bool is_proven(const TrialCondition* condition) const {
    size_t came_by = 0, unknown = 0, wrong = 0, better = 0, agree = 0;
    double risk = 0;
    for (size_t i = 0; i < details_.size(); ++i) {
      const ComparisonResult& each = details_[i];
      if (!holds(condition, i) || each.effect == Effect::none)
        continue;
      ++came_by;
      unknown += each.effect == Effect::unknown;
      wrong += each.wrong;
      better += each.wrong && each.effect == Effect::better;
      agree += each.agrees;
      risk += each.effect == Effect::worse ? 0 : each.risk;
    }
    const bool doubtful = remedy_.change.means == explain::Means::wider || condition;
    const double bearable = doubtful ? most_doubtful_risk : most_risk;
    const bool helps = better * 2 >= wrong && better >= fewest_helped && risk <= bearable * double(tried(condition));
    return tried(condition) >= fewest_tried && details_.front().effect == Effect::better && unknown * 10 <= came_by &&
           helps && (!remedy_.change.must_agree || agree * 20 >= came_by);
  }

  // Tries fresh inputs on the right side of the bound, many of them near it. Moves a failing bound a few times.
  std::optional<TrialCondition> condition_found() {
    for (int moves = 0; moves < 5; ++moves) {
      const std::optional<TrialCondition> condition = condition_for(results_, bench_.space);
      if (!condition)
        return std::nullopt;
      const size_t worse = worse_;
      for (size_t count = tried(&*condition), drawn = 0; count < bench_.goal && worse_ == worse; ++drawn) {
        if (is_over() || drawn > 2 * bench_.goal)
          return std::nullopt;
        count += try_inside(*condition) != Effect::unknown;
      }
      if (worse_ == worse)
        return condition;
    }
    return std::nullopt;
  }

  // If runs are short, tries more of them before the remedy is offered: harm at one input in a thousand counts.
  bool is_confirmed(const std::optional<TrialCondition>& condition) {
    const size_t worse = worse_;
    for (size_t i = 0; i < bench_.extra && worse_ == worse; ++i) {
      if (is_over())
        return false;
      try_inside(condition.value_or(TrialCondition()));
    }
    return worse_ == worse;
  }

  Effect try_inside(const TrialCondition& condition) {
    TrialInput input{inside(condition)};
    return try_on(input);
  }

  exec::Input inside(const TrialCondition& condition) {
    for (int attempts = 0; attempts < 8; ++attempts) {
      exec::Input input = drawn_for(condition);
      if (condition.holds(input, bench_.space))
        return input;
    }
    return results_.front().input;
  }

  exec::Input drawn_for(const TrialCondition& condition) {
    switch (draws_.rng().below(6)) {
    case 0:
      return draws_.near(results_.front().input);
    case 1: // near any input, whatever the effect
      return draws_.near(results_[draws_.rng().below(results_.size())].input);
    case 2:
      return draws_.any();
    case 3:
      if (condition.bound)
        return at_bound(*condition.bound);
      [[fallthrough]];
    default:
      return draws_.ordinary();
    }
  }

  // Any values for the other inputs. This one is between the bound and the place where it was shown, most likely near
  // the bound.
  exec::Input at_bound(const Bound& bound) {
    exec::Input input = draws_.rng().coin() ? draws_.ordinary() : draws_.near(results_.front().input);
    const search::Dimension& dimension = bench_.space.dimensions[bound.input];
    const Value shown = results_.front().input[bound.input];
    const Value from = bound.of_magnitude && shown < 0 ? -bound.value : bound.value;
    const Value part = std::ldexp(draws_.rng().uniform(0.5, 1), -int(draws_.rng().below(30)));
    input[bound.input] = dimension.nearest(from + (shown - from) * part);
    return input;
  }

  const explain::Remedy& remedy_;
  Bench& bench_;
  TrialInputs& draws_;
  std::vector<TrialResult> results_;
  std::vector<ComparisonResult> details_; // for the same inputs
  uint64_t allowance_;
  size_t worse_ = 0, endless_ = 0;
};

} // namespace

Input TrialInputs::within(Input input) const {
  for (size_t i = 0; i < input.size(); ++i)
    input[i] = space_.dimensions[i].held() ? space_.dimensions[i].low : space_.dimensions[i].nearest(input[i]);
  return space_.legal(std::move(input));
}

// All values round, or one round and the others as in an input that shows the problem.
Input TrialInputs::round_numbers(const Input& shown) {
  auto draw = [&] { return round_values[rng_.below(std::size(round_values))]; };
  Input input = shown;
  if (rng_.coin()) {
    input[rng_.below(input.size())] = draw();
  } else {
    const Value same = draw();
    const bool alike = rng_.below(8) == 0;
    for (Value& value : input)
      value = alike ? same : draw();
  }
  return within(std::move(input));
}

// Values as people type them: a few digits, not far from 1.
Input TrialInputs::moderate() {
  Input input;
  for (size_t i = 0; i < space_.dimensions.size(); ++i) {
    const double power = std::pow(10.0, double(rng_.below(7)) - 3);
    const bool few_digits = rng_.coin();
    const double fraction = few_digits ? double(1 + rng_.below(99)) / 10 : rng_.uniform(0, 10);
    input.push_back((rng_.below(3) == 0 ? -1 : 1) * Value(fraction * power));
  }
  return within(std::move(input));
}

Input TrialInputs::ordinary() {
  const Input floats = everyday_.sample_floats(rng_), reals = everyday_.sample_reals(rng_);
  Input input;
  for (size_t i = 0; i < floats.size(); ++i)
    input.push_back(everyday_.dimensions[i].floating && everyday_.dimensions[i].given() && rng_.below(4) != 0
                        ? reals[i]
                        : floats[i]);
  return everyday_.legal(std::move(input));
}

Value TrialInputs::moved(const Dimension& dimension, Value value) {
  if (!dimension.floating) // mostly unchanged: it often selects the path of the code
    return rng_.below(4) > 0 ? value : value + Value(rng_.below(7)) - 3;
  if (value == 0)
    return (rng_.coin() ? 1 : -1) * std::pow(10.0L, -Value(rng_.below(10)));
  const int precision = numeric::info(dimension.format).precision;
  const Value relative = std::ldexp(Value(rng_.uniform(0.5, 1)), -int(rng_.below(uint64_t(precision))));
  switch (rng_.below(16)) {
  case 0:
    return -value;
  case 1:
  case 2:
    return std::ldexp(value, int(rng_.below(21)) - 10) * (1 + relative);
  default:
    return value * (rng_.coin() ? 1 + relative : 1 - relative);
  }
}

Input TrialInputs::near(const Input& input) {
  std::vector<size_t> free;
  for (size_t i = 0; i < input.size(); ++i)
    if (!space_.dimensions[i].held())
      free.push_back(i);
  Input other = input;
  if (free.empty())
    return other;
  const bool all = rng_.coin();
  const size_t one = free[rng_.below(free.size())];
  for (const size_t i : free)
    if (all || i == one)
      other[i] = moved(space_.dimensions[i], input[i]);
  return within(std::move(other));
}

std::vector<Input> TrialInputs::mixed(const std::vector<Input>& shown, size_t count) {
  // The mix of kinds, out of twenty: a guess, with half of them ordinary.
  std::vector<Input> inputs = shown;
  inputs.resize(std::min(inputs.size(), count));
  for (size_t i = 0; inputs.size() < count; ++i) {
    const Input& known = shown[i % 3 == 0 ? rng_.below(shown.size()) : 0];
    switch (i % 20) {
    case 0:
    case 4:
    case 8:
    case 12:
    case 16:
      inputs.push_back(near(known));
      break;
    case 1:
    case 6:
    case 11:
      inputs.push_back(round_numbers(known));
      break;
    case 2:
    case 7:
    case 13:
      inputs.push_back(moderate());
      break;
    case 9:
      inputs.push_back(everyday_.sample_alike(rng_));
      break;
    case 5:
    case 15:
      inputs.push_back(space_.sample_floats(rng_));
      break;
    default:
      inputs.push_back(ordinary());
    }
  }
  return inputs;
}

std::vector<Input> TrialInputs::border(const Input& a, const Input& b,
                                       const std::function<bool(const Input&)>& is_like_a) const {
  Input inside = a, outside = b;
  for (bool apart = true; apart;) {
    Input middle = inside;
    apart = false;
    for (size_t i = 0; i < middle.size(); ++i) {
      const Dimension& dimension = space_.dimensions[i];
      const Int128 from = dimension.order(inside[i]), to = dimension.order(outside[i]);
      apart = apart || to - from > 1 || from - to > 1;
      middle[i] = dimension.at(from + (to - from) / 2);
    }
    if (apart)
      (is_like_a(middle) ? inside : outside) = middle;
  }
  return {space_.legal(std::move(inside)), space_.legal(std::move(outside))};
}

std::optional<TrialOutcome> evaluate_remedy(const explain::Remedy& remedy, Bench& bench) {
  return Attempt(remedy, bench).evaluate();
}

} // namespace faultline::judge
