#include "judge/diagnosis/trial_condition.h"

#include "judge/diagnosis/condition.h"

#include "numeric/decimal.h"
#include "search/everyday.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {
namespace {

constexpr size_t most_free = 8;       // inputs: of more, one says little
constexpr long double margin = 2;     // between the bound and the nearest input where it is worse
constexpr long double small = 1e-300; // a bound below it is none

long double measured(const Bound& bound, const exec::Input& input) {
  const long double value = input[bound.input];
  return bound.of_magnitude ? std::fabs(value) : value;
}

// 1, 2 or 5 times a power of ten, not above the value, which is above 0.
long double round_below(long double value) {
  const long double power = std::pow(10.0L, std::floor(std::log10(value)));
  for (const long double digit : {5.0L, 2.0L, 1.0L})
    if (digit * power <= value)
      return digit * power;
  return power / 2;
}
long double round_above(long double value) {
  const long double power = std::pow(10.0L, std::floor(std::log10(value)));
  for (const long double digit : {1.0L, 2.0L, 5.0L})
    if (digit * power >= value)
      return digit * power;
  return power * 10;
}

// The bound of this form that leaves out all that are worse, by a margin; none if there is no such thing.
std::optional<long double> bound_of(const Bound& form, const std::vector<TrialResult>& results) {
  std::optional<long double> nearest;
  for (const TrialResult& result : results)
    if (result.effect == Effect::worse) {
      const long double value = measured(form, result.input);
      if (std::isnan(value))
        return std::nullopt;
      nearest = !nearest ? value : form.below ? std::min(*nearest, value) : std::max(*nearest, value);
    }
  if (!nearest)
    return std::nullopt;
  if (!form.of_magnitude && (form.below ? *nearest >= 0 : *nearest <= 0)) {
    const bool far = form.below ? *nearest > 0 && measured(form, results.front().input) > 0
                                : *nearest < 0 && measured(form, results.front().input) < 0;
    if (!far)
      return 0; // the sign decides
  }
  const long double size = std::fabs(*nearest);
  const bool towards_zero = form.below == (*nearest > 0);
  if (!(size > small) || std::isinf(size))
    return std::nullopt;
  return std::copysign(towards_zero ? round_below(size / margin) : round_above(size * margin), *nearest);
}

// Beyond a bound that means something, at least so many of those that the change reaches are worse: where there are
// fewer, the code was right by chance.
constexpr double fewest_worse = 0.05;
constexpr size_t fewest = 10;

struct Fit {
  Bound bound;
  std::pair<size_t, size_t> held; // where it is better, and in all
};

std::optional<Fit> fit_of(Bound form, const std::vector<TrialResult>& results) {
  const std::optional<long double> value = bound_of(form, results);
  if (!value)
    return std::nullopt;
  form.value = *value;
  Fit fit{form, {}};
  size_t beyond = 0, worse = 0;
  for (const TrialResult& result : results)
    if (form.holds(result.input)) {
      fit.held.first += result.effect == Effect::better;
      ++fit.held.second;
    } else {
      beyond += result.effect != Effect::none && result.effect != Effect::unknown;
      worse += result.effect == Effect::worse;
    }
  const bool parts = worse >= fewest && double(worse) >= fewest_worse * double(beyond);
  const bool holds = form.holds(results.front().input) && parts;
  return holds ? std::optional(fit) : std::nullopt;
}

std::optional<Bound> best_bound(const std::vector<TrialResult>& results, const search::Space& space) {
  std::vector<size_t> free;
  for (size_t i = 0; i < space.dimensions.size(); ++i)
    if (!space.dimensions[i].held() && space.dimensions[i].floating)
      free.push_back(i);
  if (free.size() > most_free)
    return std::nullopt;
  std::optional<Fit> best;
  for (const size_t input : free)
    for (const bool of_magnitude : {true, false})
      for (const bool below : {true, false})
        if (const std::optional<Fit> fit = fit_of({input, of_magnitude, below, 0}, results);
            fit && (!best || fit->held > best->held))
          best = fit;
  return best ? std::optional(best->bound) : std::nullopt;
}

bool has_worse(const std::vector<TrialResult>& results) {
  return std::ranges::find(results, Effect::worse, &TrialResult::effect) != results.end();
}

} // namespace

bool Bound::holds(const exec::Input& at) const {
  const long double here = measured(*this, at);
  return below ? here < value : here > value;
}

bool TrialCondition::holds(const exec::Input& at, const search::Space& space) const {
  return (!bound || bound->holds(at)) && (!everyday || search::is_everyday(space, at));
}

std::string TrialCondition::text(const search::Space& space) const {
  int power = 0;
  for (const search::Dimension& dimension : space.dimensions)
    power = std::max(power, dimension.floating ? numeric::info(dimension.format).everyday_power : 0);
  const std::string ordinary = fmt::format("magnitudes of 1e-{0} to 1e{0}", power > 0 ? power : 6);
  if (!bound)
    return ordinary;
  const std::string& name = space.dimensions[bound->input].name;
  return fmt::format("{} {} {}{}{}", bound->of_magnitude ? fmt::format("|{}|", name) : name, bound->below ? "<" : ">",
                     numeric::brief_decimal(bound->value, 3), everyday ? " and " : "", everyday ? ordinary : "");
}

std::optional<Bound> parsed_bound(const std::string& text, const std::vector<std::string>& inputs) {
  for (size_t i = 0; i < inputs.size(); ++i)
    for (const bool of_magnitude : {true, false})
      for (const bool below : {true, false}) {
        const std::string start =
            fmt::format("{} {} ", of_magnitude ? fmt::format("|{}|", inputs[i]) : inputs[i], below ? "<" : ">");
        if (!text.starts_with(start))
          continue;
        const std::string number = text.substr(start.size(), text.find(" and ") - start.size());
        if (const auto value = numeric::parse_number(number, numeric::Format::extended80))
          return Bound{i, of_magnitude, below, *value};
      }
  return std::nullopt;
}

std::optional<TrialCondition> condition_for(const std::vector<TrialResult>& results, const search::Space& space) {
  if (results.empty())
    return std::nullopt;
  const std::optional<Bound> anywhere = best_bound(results, space);
  const bool unusual = anywhere && !search::is_everyday(space.dimensions[anywhere->input], anywhere->value);
  const std::optional<TrialCondition> fallback =
      anywhere ? std::optional(TrialCondition{anywhere, false}) : std::nullopt;
  if ((anywhere && !unusual) || !search::is_everyday(space, results.front().input))
    return fallback;
  std::vector<TrialResult> everyday;
  for (const TrialResult& result : results)
    if (search::is_everyday(space, result.input))
      everyday.push_back(result);
  if (!has_worse(everyday))
    return everyday.size() < results.size() ? std::optional(TrialCondition{{}, true}) : fallback;
  const std::optional<Bound> bound = best_bound(everyday, space);
  return bound ? std::optional(TrialCondition{bound, true}) : fallback;
}

} // namespace faultline::judge
