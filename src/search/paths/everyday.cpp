#include "search/paths/everyday.h"

#include "numeric/decimal.h"
#include "ops/table.h"
#include "tape/path.h"

#include <algorithm>
#include <cmath>

namespace faultline::search {
namespace {

struct Magnitudes {
  long double least, most;
};

Magnitudes everyday_magnitudes(const Dimension& dimension) {
  return dimension.format == numeric::Format::binary32 ? Magnitudes{1e-6L, 1e6L} : Magnitudes{1e-9L, 1e9L};
}

bool has_everyday_values(const Dimension& dimension) {
  const auto [least, most] = everyday_magnitudes(dimension);
  return (dimension.low <= most && dimension.high >= least) || (dimension.low <= -least && dimension.high >= -most) ||
         (dimension.low <= 0 && dimension.high >= 0);
}

// Guesses, but for their order: whatever is not everyday outweighs thousands of odd digits, and what a run does is told
// from how its input looks.
constexpr double not_everyday = 1e6, abnormal_end = 1e4, infinite_comparison = strange, infinite_output = 1e2;
constexpr double per_power_of_ten = 0.5, negative = 1, per_unit = 0.01;

std::string decimal_of(const Dimension& dimension, long double value) {
  switch (dimension.format) {
  case numeric::Format::binary32:
    return numeric::shortest_decimal(float(value));
  case numeric::Format::binary64:
    return numeric::shortest_decimal(double(value));
  default:
    return numeric::shortest_decimal(value);
  }
}

// Without the zeros at the ends: they say how large the number is, not how long.
size_t significant_digits(std::string text) {
  text = text.substr(0, text.find('e'));
  std::erase_if(text, [](char letter) { return letter < '0' || letter > '9'; });
  const size_t first = text.find_first_not_of('0');
  return first == std::string::npos ? 0 : text.find_last_not_of('0') - first + 1;
}

bool compares_infinities(const tape::Tape& tape) {
  return std::ranges::any_of(tape::path(tape), [&](const tape::Branch& decision) {
    const tape::Record& record = tape.record(decision.record);
    return ops::is_comparison(tape.site(decision.record).op) &&
           !(std::isfinite(tape.value(record.a)) && std::isfinite(tape.value(record.b)));
  });
}

} // namespace

bool is_everyday(const Dimension& dimension, long double value) {
  if (!dimension.floating || value == 0 || !has_everyday_values(dimension))
    return true;
  const auto [least, most] = everyday_magnitudes(dimension);
  return std::fabs(value) >= least && std::fabs(value) <= most;
}

bool is_everyday(const Space& space, const exec::Input& input) {
  for (size_t i = 0; i < space.dimensions.size(); ++i)
    if (!is_everyday(space.dimensions[i], input[i]))
      return false;
  return true;
}

std::vector<constraint::InputRange> everyday_ranges(std::vector<constraint::InputRange> ranges, const Space& space) {
  for (size_t i = 0; i < ranges.size(); ++i)
    if (const Dimension& dimension = space.dimensions[i]; dimension.floating && has_everyday_values(dimension)) {
      const long double most = everyday_magnitudes(dimension).most;
      ranges[i].low = std::max(ranges[i].low, -most);
      ranges[i].high = std::min(ranges[i].high, most);
    }
  return ranges;
}

double strangeness(const Dimension& dimension, long double value) {
  if (value == 0)
    return 0;
  if (!std::isfinite(value))
    return not_everyday;
  const long double power = std::floor(std::log10(std::fabs(value)));
  const double leading = double(std::fabs(value) / std::pow(10.0L, power));
  return (is_everyday(dimension, value) ? 1 : not_everyday) + double(significant_digits(decimal_of(dimension, value))) +
         per_power_of_ten * double(std::fabs(power)) + per_unit * leading + (value < 0 ? negative : 0);
}

double strangeness(const Space& space, const exec::Input& input) {
  double sum = 0;
  for (size_t i = 0; i < space.dimensions.size(); ++i)
    if (!space.dimensions[i].held())
      sum += strangeness(space.dimensions[i], input[i]);
  return sum;
}

double strangeness(const Space& space, const exec::Input& input, const tape::Tape& tape, exec::Outcome outcome) {
  double sum = strangeness(space, input);
  if (compares_infinities(tape))
    sum += infinite_comparison;
  if (outcome != exec::Outcome::returned)
    return sum + abnormal_end;
  if (!std::ranges::all_of(tape.outputs(), [](const exec::OutputValue& output) { return std::isfinite(output.value); }))
    sum += infinite_output;
  return sum;
}

} // namespace faultline::search
