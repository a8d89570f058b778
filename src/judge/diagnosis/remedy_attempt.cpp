#include "judge/diagnosis/remedy_attempt.h"

#include <algorithm>
#include <cmath>

namespace faultline::judge {
namespace {

// Inputs like the finding's: an error that shows nowhere near it is a jump of the code that happens to lie there.
constexpr size_t fewest_helped = 10;
// Inputs at which the code is better by chance, of those that are tried. Less for what has reason to be doubted: a
// wider format, which is a last resort, and what is known to do harm on the other side of a bound.
constexpr double most_risk = 1e-3, most_doubtful_risk = 1e-4;

// One remedy, tried on the inputs one after the other.
class Attempt {
public:
  Attempt(const explain::Remedy& remedy, Bench& bench)
      : remedy_(remedy), bench_(bench), draws_(bench.draws), allowance_(bench.allowance) {}

  std::optional<Stood> stand() {
    if (!try_all() || !look_around() || !fill_up())
      return std::nullopt;
    std::optional<TrialCondition> condition;
    if (worse_ > 0 && !(condition = condition_found()))
      return std::nullopt;
    const TrialCondition* where = condition ? &*condition : nullptr;
    if (!is_proven(where) || !is_confirmed(condition))
      return std::nullopt;
    return Stood{tried(where), condition};
  }

private:
  // As many as there are to be, half of which come by the place, if such are found: near those that do.
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

  // Nothing more can be tried?
  bool is_over() { return allowance_ == 0 || endless_ > 1 || bench_.out_of_time(); }

  Effect try_on(TrialInput& input) {
    const Compared compared = bench_.comparison.compare(input, remedy_.change);
    allowance_ -= std::min(allowance_, std::max(compared.records, least_of_trial));
    endless_ += !compared.ended;
    worse_ += compared.effect == Effect::worse;
    results_.push_back({input.input, compared.effect});
    details_.push_back(compared);
    return compared.effect;
  }

  // It is given up where there is harm enough, and no condition in sight that would leave it out.
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

  // Near the inputs at which it did worst.
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

  // Enough was tried, it helps, and it is the same function: a change that must agree with the code somewhere, and does
  // not, is no other way to write it, whatever the reference says.
  bool is_proven(const TrialCondition* condition) const {
    size_t came_by = 0, unknown = 0, wrong = 0, better = 0, agree = 0;
    double risk = 0;
    for (size_t i = 0; i < details_.size(); ++i) {
      const Compared& each = details_[i];
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

  // Fresh inputs on the right side of the bound, many of them near it. A bound that does not hold is moved, a few
  // times.
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

  // Where runs are short, more of them, for what is to be offered: harm that one input in a thousand shows is harm.
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
    case 1: // near anything, of any effect
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

  // Anything for the other inputs; this one is between the bound and where it was shown, the nearer to the bound the
  // likelier.
  exec::Input at_bound(const Bound& bound) {
    exec::Input input = draws_.rng().coin() ? draws_.ordinary() : draws_.near(results_.front().input);
    const search::Dimension& dimension = bench_.space.dimensions[bound.input];
    const long double shown = results_.front().input[bound.input];
    const long double from = bound.of_magnitude && shown < 0 ? -bound.value : bound.value;
    const long double part = std::ldexp(draws_.rng().uniform(0.5, 1), -int(draws_.rng().below(30)));
    input[bound.input] = dimension.nearest(from + (shown - from) * part);
    return input;
  }

  const explain::Remedy& remedy_;
  Bench& bench_;
  TrialInputs& draws_;
  std::vector<TrialResult> results_;
  std::vector<Compared> details_; // of the same inputs
  uint64_t allowance_;
  size_t worse_ = 0, endless_ = 0;
};

} // namespace

std::optional<Stood> tried_out(const explain::Remedy& remedy, Bench& bench) { return Attempt(remedy, bench).stand(); }

} // namespace faultline::judge
