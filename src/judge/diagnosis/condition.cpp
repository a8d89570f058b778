#include "judge/diagnosis/condition.h"

#include "numeric/decimal.h"
#include "numeric/stable_sort.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {
namespace {

// Guesses: samples on either side that a condition needs, and the part of them that may be exceptions to it: near the
// bound an error is above the threshold or not as the rounding has it.
constexpr size_t fewest = 4;
constexpr double exceptions = 0.1;
constexpr int digits = 3; // of a bound

struct Cut {
  size_t errors = 0;
  Condition condition;
};

// The best bound for one form, if there are samples on both sides of it.
std::optional<Cut> best_cut(std::vector<Labelled> samples, bool of_magnitude, bool below) {
  for (Labelled& sample : samples)
    if (of_magnitude)
      sample.value = std::fabs(sample.value);
  numeric::sort_stably(
      samples, [&](const Labelled& a, const Labelled& b) { return below ? a.value < b.value : a.value > b.value; });
  const auto all = size_t(std::ranges::count(samples, true, &Labelled::shows));
  size_t inside = 0, best = 0, fewest_errors = samples.size() + 1;
  for (size_t i = 0; i + 1 < samples.size(); ++i) {
    inside += samples[i].shows;
    const size_t errors = (i + 1 - inside) + (all - inside);
    if (samples[i].shows && samples[i].value != samples[i + 1].value && errors < fewest_errors) {
      fewest_errors = errors;
      best = i;
    }
  }
  if (fewest_errors > samples.size())
    return {};
  const size_t length = best + 1;
  const auto shown = size_t(std::count_if(samples.begin(), samples.begin() + long(length),
                                          [](const Labelled& sample) { return sample.shows; }));
  if (shown < fewest || samples.size() - length < fewest || double(length - shown) > exceptions * double(length) ||
      double(all - shown) > exceptions * double(all))
    return {};
  return Cut{fewest_errors, {of_magnitude, below, samples[best].value, samples[best + 1].value}};
}

} // namespace

std::optional<Condition> condition_on(const std::vector<Labelled>& samples) {
  const bool both_signs = std::ranges::any_of(samples, [](const Labelled& s) { return s.value < 0; }) &&
                          std::ranges::any_of(samples, [](const Labelled& s) { return s.value > 0; });
  std::optional<Cut> best;
  for (const bool of_magnitude : {false, true})
    for (const bool below : {true, false})
      if (both_signs || !of_magnitude)
        if (const std::optional<Cut> cut = best_cut(samples, of_magnitude, below);
            cut && (!best || cut->errors < best->errors))
          best = cut;
  return best ? std::optional(best->condition) : std::nullopt;
}

std::string text(const Condition& condition, const std::string& name, long double bound, bool whole) {
  return fmt::format("{} {}{} {}", condition.of_magnitude ? fmt::format("|{}|", name) : name,
                     condition.below ? "<" : ">", whole ? "=" : "",
                     whole ? fmt::format("{:.0f}", bound) : numeric::brief_decimal(bound, digits));
}

} // namespace faultline::judge
