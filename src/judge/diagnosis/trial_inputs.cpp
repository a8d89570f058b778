#include "judge/diagnosis/trial_inputs.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace faultline::judge {

using exec::Input;
using numeric::Int128;
using search::Dimension;

namespace {

// Where formulas are exact, or turn: a rewrite that is right to a few ulps elsewhere may lose what was exact here.
constexpr long double round_values[] = {
    0,    1,     -1,    2, 0.5L, -2,   3,  0.25L, 10, 0.1L, 100, -0.5L, 4,        1e3L, -3, 1e-3, 0.75, 1.5L,  5, -10,
    1e6L, 1e-6L, 0.125, 8, 7,    1e9L, 20, 0.9L,  16, 1e-9, 64,  0.3L,  0x1p-10L, 1024, 50, 1.25, 2.5L, -0.25L};

} // namespace

Input TrialInputs::within(Input input) const {
  for (size_t i = 0; i < input.size(); ++i)
    input[i] = space_.dimensions[i].held() ? space_.dimensions[i].low : space_.dimensions[i].nearest(input[i]);
  return input;
}

// All of them round, or one and the others as in an input that shows it.
Input TrialInputs::round_numbers(const Input& shown) {
  auto draw = [&] { return round_values[rng_.below(std::size(round_values))]; };
  Input input = shown;
  if (rng_.coin()) {
    input[rng_.below(input.size())] = draw();
  } else {
    const long double same = draw();
    const bool alike = rng_.below(8) == 0;
    for (long double& value : input)
      value = alike ? same : draw();
  }
  return within(std::move(input));
}

// As people type them: a few digits, not far from 1.
Input TrialInputs::moderate() {
  Input input;
  for (size_t i = 0; i < space_.dimensions.size(); ++i) {
    const double power = std::pow(10.0, double(rng_.below(7)) - 3);
    const bool few_digits = rng_.coin();
    const double fraction = few_digits ? double(1 + rng_.below(99)) / 10 : rng_.uniform(0, 10);
    input.push_back((rng_.below(3) == 0 ? -1 : 1) * (long double)(fraction * power));
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
  return input;
}

long double TrialInputs::moved(const Dimension& dimension, long double value) {
  if (!dimension.floating) // mostly as it is: it often decides which way the code goes
    return rng_.below(4) > 0 ? value : value + (long double)rng_.below(7) - 3;
  if (value == 0)
    return (rng_.coin() ? 1 : -1) * std::pow(10.0L, -(long double)rng_.below(10));
  const int precision = numeric::info(dimension.format).precision;
  const long double relative = std::ldexp((long double)rng_.uniform(0.5, 1), -int(rng_.below(uint64_t(precision))));
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
  // How many of a score are of each sort: a guess, with half of them ordinary.
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
  return {inside, outside};
}

} // namespace faultline::judge
