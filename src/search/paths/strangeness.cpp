#include "search/paths/strangeness.h"

#include "numeric/decimal.h"
#include "ops/table.h"
#include "search/everyday.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace faultline::search {
namespace {

// Guesses, but for their order: whatever is not everyday outweighs thousands of odd digits, and what a run does is told
// from how its input looks.
constexpr double not_everyday = 1e6, abnormal_end = 1e4, infinite_comparison = strange, infinite_output = 1e2;
constexpr double per_power_of_ten = 0.5, negative = 1, per_unit = 0.01;

// The shortest decimal that reads back: 2.5e+03 has 2 digits, of which the first is 2, and the exponent 3.
struct Decimal {
  int digits = 0, first = 0, exponent = 0;
};

Decimal decimal_of(const Dimension& dimension, long double value) {
  std::array<char, 64> text; // a long double has 21 digits and an exponent of 4
  char* const end = text.data() + text.size();
  value = std::fabs(value);
  const char* const last = numeric::with_type(dimension.format, [&](auto type) {
    const auto number = numeric::printable(static_cast<typename decltype(type)::type>(value));
    return std::to_chars(text.data(), end, number, std::chars_format::scientific).ptr;
  });
  const char* const e = std::find(text.data(), const_cast<char*>(last), 'e');
  Decimal decimal{int(e - text.data()) - (e - text.data() > 1), text[0] - '0', 0}; // without the point
  std::from_chars(e + (e[1] == '+' ? 2 : 1), last, decimal.exponent);
  return decimal;
}

bool compares_infinities(const tape::Tape& tape, std::span<const tape::Branch> decisions) {
  return std::ranges::any_of(decisions, [&](const tape::Branch& decision) {
    const tape::Record& record = tape.record(decision.record);
    return ops::is_comparison(tape.site(decision.record).op) &&
           !(std::isfinite(tape.value(record.a)) && std::isfinite(tape.value(record.b)));
  });
}

} // namespace

double strangeness(const Dimension& dimension, long double value) {
  if (value == 0)
    return 0;
  if (!std::isfinite(value))
    return not_everyday;
  const Decimal decimal = decimal_of(dimension, value);
  return (is_everyday(dimension, value) ? 1 : not_everyday) + decimal.digits +
         per_power_of_ten * std::abs(decimal.exponent) + per_unit * decimal.first + (value < 0 ? negative : 0);
}

double strangeness(const Space& space, const exec::Input& input) {
  double sum = 0;
  for (size_t i = 0; i < space.dimensions.size(); ++i)
    if (!space.dimensions[i].held())
      sum += strangeness(space.dimensions[i], input[i]);
  return sum;
}

double strangeness(const Space& space, const exec::Input& input, const tape::Tape& tape,
                   std::span<const tape::Branch> decisions, exec::Outcome outcome) {
  double sum = strangeness(space, input);
  if (compares_infinities(tape, decisions))
    sum += infinite_comparison;
  if (outcome != exec::Outcome::returned)
    return sum + abnormal_end;
  if (!std::ranges::all_of(tape.outputs(), [](const exec::OutputValue& output) { return std::isfinite(output.value); }))
    sum += infinite_output;
  return sum;
}

} // namespace faultline::search
