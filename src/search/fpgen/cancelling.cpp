#include "search/fpgen/cancelling.h"

#include <algorithm>
#include <cmath>

namespace faultline::search {
namespace {

// Guesses; `faultline bench fpgen` shows what they find.
constexpr int most_steps = 24, most_failures = 4;
constexpr long double worth_it = 0.25L;   // of the distance, that a step may leave at most
constexpr long double as_good = 0x1p+10L; // steps that leave so many times as much as the best,
constexpr long double as_near = 0x1p-20L; // or so little of the distance

} // namespace

Cancelling::Cancelling(Quest& quest, TrueErrors& errors) : quest_(quest), errors_(errors), left_(exact_precision) {
  for (size_t i = 0; i < quest.space.dimensions.size(); ++i)
    if (quest.space.dimensions[i].floating && !quest.space.dimensions[i].held())
      free_.push_back(i);
}

void Cancelling::rest(exec::Input& input, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (const size_t d = free_[quest_.rng.below(free_.size())]; quest_.space.dimensions[d].nearest(0) == 0)
      input[d] = 0;
}

long double Cancelling::distance(size_t output, double target) {
  mpfr_srcptr exact = errors_.exact(output);
  if (!exact || !mpfr_number_p(exact))
    return NAN;
  mpfr_sub_d(left_.raw(), exact, target, MPFR_RNDN);
  return left_.to_long_double();
}

// The inputs that can take most of the distance away.
std::vector<Cancelling::NewtonStep> Cancelling::steps(const exec::Input& input, size_t output, long double distance) {
  const std::vector<double> slopes = errors_.slopes(output);
  std::vector<NewtonStep> all;
  for (size_t d : free_) {
    const long double slope = slopes[d];
    if (slope == 0 || !std::isfinite(slope))
      continue;
    const long double value = quest_.space.dimensions[d].nearest(input[d] - distance / slope);
    const long double left = std::fabs(distance + slope * (value - input[d]));
    if (value != input[d] && left < worth_it * std::fabs(distance))
      all.push_back({d, value, left});
  }
  if (all.empty())
    return all;
  const long double best = std::min_element(all.begin(), all.end(), [](const NewtonStep& a, const NewtonStep& b) {
                             return a.left < b.left;
                           })->left;
  std::erase_if(
      all, [&](const NewtonStep& step) { return step.left > std::max(best * as_good, std::fabs(distance) * as_near); });
  return all;
}

TrueError Cancelling::solve(exec::Input& input, size_t output, double target, size_t resting) {
  if (!free_.empty())
    rest(input, resting);
  TrueError error = errors_.measure(input);
  if (!error.usable || error.flipped)
    return error;
  long double apart = distance(output, target);
  std::vector<NewtonStep> open =
      apart != 0 && !std::isnan(apart) ? steps(input, output, apart) : std::vector<NewtonStep>();
  int failures = 0;
  for (int step = 0; step < most_steps && !open.empty() && !quest_.evaluator.spent(); ++step) {
    const size_t pick = quest_.rng.below(open.size());
    const NewtonStep chosen = open[pick];
    open.erase(open.begin() + ptrdiff_t(pick));
    exec::Input next = input;
    next[chosen.dimension] = chosen.value;
    const TrueError after = errors_.measure(next);
    const long double now = after.usable && !after.flipped ? distance(output, target) : NAN;
    if (!(std::fabs(now) < std::fabs(apart))) {
      if (++failures == most_failures)
        break;
      continue;
    }
    input = std::move(next);
    error = after;
    apart = now;
    if (apart == 0)
      break;
    open = steps(input, output, apart);
  }
  return error;
}

} // namespace faultline::search
