#include "judge/diagnosis/simplify.h"

#include "numeric/decimal.h"
#include "search/everyday.h"
#include "search/zeros.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {
namespace {

long double power_of_ten(long double value) {
  return numeric::parse_long_double(fmt::format("1e{}", std::lround(std::log10(std::fabs(value))))).value_or(value);
}

} // namespace

bool Simplifier::shows(const exec::Input& candidate) {
  if (attempts_ == 0 || (stay_everyday_ && !search::is_everyday(space_, candidate)))
    return false;
  --attempts_;
  return (*shows_)(candidate);
}

bool Simplifier::try_value(exec::Input& input, size_t cell, long double value) {
  const search::Dimension& dimension = space_.dimensions[cell];
  value = dimension.nearest(value);
  if (value == input[cell] && std::signbit(value) == std::signbit(input[cell]))
    return false;
  exec::Input candidate = input;
  candidate[cell] = value;
  if (!shows(candidate))
    return false;
  input = std::move(candidate);
  return true;
}

// All at once to the everyday values next to them, or to one of ordinary size; then cell by cell.
void Simplifier::to_everyday(exec::Input& input) {
  if (search::is_everyday(space_, input)) {
    stay_everyday_ = true;
    return;
  }
  constexpr long double sizes[] = {0, 1, 1000, 1e-3L, 1e-8L}; // 0 is for the nearest; the others are guesses
  auto moved = [&](size_t cell, long double size) {
    const search::Dimension& dimension = everyday_.dimensions[cell];
    const bool usual = dimension.nearest(input[cell]) == input[cell];
    if (!is_free(cell) || !dimension.floating || usual)
      return input[cell];
    return dimension.nearest(size == 0 ? input[cell] : std::copysign(size, input[cell]));
  };
  for (const long double size : sizes) {
    exec::Input candidate = input;
    for (size_t i = 0; i < input.size(); ++i)
      candidate[i] = moved(i, size);
    if (shows(candidate)) {
      input = std::move(candidate);
      stay_everyday_ = true;
      return;
    }
  }
  for (size_t i = 0; i < input.size(); ++i)
    for (const long double size : sizes)
      if (const long double value = moved(i, size); value != input[i] && try_value(input, i, value))
        break;
  stay_everyday_ = search::is_everyday(space_, input);
}

// As many as possible to 0, and what is left, cell by cell, to 1.
void Simplifier::to_defaults(exec::Input& input) {
  input = search::with_zeros(space_, input, [&](const exec::Input& candidate) { return shows(candidate); });
  for (size_t i = 0; i < input.size(); ++i)
    if (is_free(i) && input[i] != 0)
      try_value(input, i, 1);
}

void Simplifier::to_positive(exec::Input& input) {
  exec::Input positive = input;
  for (size_t i = 0; i < input.size(); ++i)
    if (is_free(i))
      positive[i] = space_.dimensions[i].nearest(std::fabs(input[i]));
  // -0 equals 0, and is not what people type
  const bool has_signs = std::ranges::any_of(input, [](long double value) { return std::signbit(value); });
  if (has_signs && shows(positive)) {
    input = std::move(positive);
    return;
  }
  for (size_t i = 0; i < input.size(); ++i)
    if (is_free(i) && std::signbit(input[i]))
      try_value(input, i, std::fabs(input[i]));
}

void Simplifier::to_few_digits(exec::Input& input) {
  auto is_done = [](long double value) { return value == 0 || std::fabs(value) == 1 || !std::isfinite(value); };
  for (const int digits : {1, 2, 3, 4, 6, 8}) { // all at once: enough for most
    exec::Input candidate = input;
    for (size_t i = 0; i < input.size(); ++i)
      if (is_free(i) && !is_done(input[i]))
        candidate[i] = space_.dimensions[i].nearest(numeric::rounded_decimal(input[i], digits));
    if (input.size() > 1 && candidate != input && shows(candidate)) {
      input = std::move(candidate);
      break;
    }
  }
  for (size_t i = 0; i < input.size(); ++i) {
    if (!is_free(i) || is_done(input[i]) || try_value(input, i, std::copysign(power_of_ten(input[i]), input[i])))
      continue;
    for (const int digits : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 15, 16})
      if (try_value(input, i, numeric::rounded_decimal(input[i], digits)) ||
          space_.dimensions[i].nearest(numeric::rounded_decimal(input[i], digits)) == input[i])
        break;
  }
}

exec::Input Simplifier::simplest(exec::Input input, uint64_t attempts, const Shows& shows, Simplest simplest) {
  attempts_ = attempts;
  shows_ = &shows;
  stay_everyday_ = false;
  if (input.size() != space_.dimensions.size())
    return input;
  to_everyday(input);
  if (simplest == Simplest::everyday_will_do)
    return input;
  to_defaults(input);
  to_positive(input);
  to_few_digits(input);
  return input;
}

} // namespace faultline::judge
