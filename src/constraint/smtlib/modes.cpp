#include "constraint/smtlib/modes.h"

#include <algorithm>

namespace faultline::constraint {

namespace {

constexpr int last = numeric::rounding_count - 1; // the mode that needs no test

struct Name {
  std::string_view text, in_full;
};
// In the order of Rounding.
constexpr Name names[] = {{"RNE", "roundNearestTiesToEven"},
                          {"RNA", "roundNearestTiesToAway"},
                          {"RTP", "roundTowardPositive"},
                          {"RTN", "roundTowardNegative"},
                          {"RTZ", "roundTowardZero"}};

// One Boolean for each mode.
std::array<Term, numeric::rounding_count> truths(System& system, const Mode& mode) {
  std::array<Term, numeric::rounding_count> all{};
  Term left = system.truth(true);
  for (size_t i = 0; i < last; ++i) {
    all[i] = system.both(left, mode.tests[i]);
    left = system.both(left, system.negate(mode.tests[i]));
  }
  all[last] = left;
  return all;
}

} // namespace

Mode mode_constant(System& system, Rounding rounding) {
  const Term yes = system.truth(true), no = system.truth(false);
  Mode mode;
  for (size_t i = 0; i < last; ++i)
    mode.tests[i] = i == size_t(rounding) ? yes : no;
  return mode;
}

Mode mode_variable(System& system, const std::string& name) {
  Mode mode;
  for (size_t i = 0; i < last; ++i)
    mode.tests[i] = system.variable(name + " " + std::string(names[i].text), boolean_sort);
  return mode;
}

Mode choose(System& system, Term condition, const Mode& then, const Mode& otherwise) {
  Mode mode;
  for (size_t i = 0; i < last; ++i)
    mode.tests[i] = system.choose(condition, then.tests[i], otherwise.tests[i]);
  return mode;
}

Term same(System& system, const Mode& a, const Mode& b) {
  if (a == b)
    return system.truth(true);
  const auto ones = truths(system, a), others = truths(system, b);
  std::vector<Term> both;
  for (size_t i = 0; i < ones.size(); ++i)
    both.push_back(system.both(ones[i], others[i]));
  return system.any(std::move(both));
}

Term by_mode(System& system, const Mode& mode, const std::function<Term(Rounding)>& make) {
  if (const Node& first = system.node(mode.tests[0]); first.form == Form::constant && first.value != 0)
    return make(Rounding::nearest_even); // as nearly always
  std::vector<int> possible;
  for (int i = 0; i <= last; ++i) {
    const Node* const test = i < last ? &system.node(mode.tests[size_t(i)]) : nullptr;
    const bool known = test && test->form == Form::constant;
    if (known && test->value == 0)
      continue;
    possible.push_back(i);
    if (known)
      break;
  }
  Term result = make(Rounding(possible.back()));
  for (size_t i = possible.size() - 1; i-- > 0;)
    result = system.choose(mode.tests[size_t(possible[i])], make(Rounding(possible[i])), result);
  return result;
}

Rounding mode_in(const Mode& mode, const std::vector<Bits>& values) {
  for (size_t i = 0; i < last; ++i)
    if (values[mode.tests[i]] != 0)
      return Rounding(i);
  return Rounding(last);
}

std::optional<Rounding> find_mode(std::string_view name) {
  for (int i = 0; i <= last; ++i)
    if (name == names[i].text || name == names[i].in_full)
      return Rounding(i);
  return {};
}

std::string_view name(Rounding rounding) { return names[size_t(rounding)].text; }

} // namespace faultline::constraint
