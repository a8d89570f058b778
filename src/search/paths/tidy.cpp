#include "search/paths/tidy.h"

#include "numeric/decimal.h"
#include "search/everyday.h"
#include "search/paths/everyday_points.h"
#include "search/paths/strangeness.h"
#include "search/zeros.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::search {
namespace {

// Guesses: a second at most for all inputs of a target with long runs, nothing to speak of for one with short ones.
constexpr uint64_t most_attempts = 600, most_records = 10'000'000;
constexpr uint64_t least_records = 1000; // what a run costs, however short it is
constexpr int most_rounds = 3;

} // namespace

Tidier::Tidier(Evaluator& evaluator, const Space& space, const std::vector<long double>& constants)
    : evaluator_(evaluator), space_(space), allowance_(most_records) {
  for (const Dimension& dimension : space.dimensions)
    values_.push_back(everyday_values(dimension, constants));
}

bool Tidier::improves(const exec::Input& candidate) {
  if (attempts_ == 0 || evaluator_.spent())
    return false;
  --attempts_;
  if (strangeness(space_, candidate) >= strangeness_)
    return false; // without a run
  const tape::Tape tape = evaluator_.run(candidate);
  if (!evaluator_.ended())
    return false;
  const std::vector<tape::Branch> decisions = tape::path(tape);
  const double strange = strangeness(space_, candidate, tape, decisions, evaluator_.outcome());
  if (strange >= strangeness_ || !std::ranges::includes(outcomes_in(decisions), wanted_))
    return false;
  best_ = candidate;
  strangeness_ = strange;
  return true;
}

bool Tidier::improve_cell(size_t cell, long double value) {
  const Dimension& dimension = space_.dimensions[cell];
  value = dimension.nearest(value);
  if (strangeness(dimension, value) >= strangeness(dimension, best_[cell]))
    return false;
  exec::Input candidate = best_;
  candidate[cell] = value;
  return improves(candidate);
}

void Tidier::to_positive() {
  for (size_t cell = 0; cell < best_.size(); ++cell)
    if (is_free(cell) && best_[cell] < 0)
      improve_cell(cell, -best_[cell]);
}

// Where no everyday value will do: the power of ten that comes nearest to one, by bisection. That assumes that all
// beyond it will do, which holds of comparisons with a constant.
void Tidier::to_smaller_exponents() {
  for (size_t cell = 0; cell < best_.size(); ++cell) {
    const long double value = best_[cell];
    if (!is_free(cell) || !std::isfinite(value) || is_everyday(space_.dimensions[cell], value))
      continue;
    int near = 0, far = int(std::floor(std::log10(std::fabs(value))));
    while (std::abs(far - near) > 1) {
      const int middle = near + (far - near) / 2;
      const long double power = numeric::parse_long_double(fmt::format("1e{}", middle)).value_or(1);
      (improve_cell(cell, std::copysign(power, value)) ? far : near) = middle;
    }
  }
}

bool Tidier::to_plain_values() {
  bool gained = false;
  for (size_t cell = 0; cell < best_.size(); ++cell)
    if (is_free(cell) && best_[cell] != 0)
      gained |= std::ranges::any_of(values_[cell], [&](long double value) { return improve_cell(cell, value); });
  return gained;
}

bool Tidier::to_few_digits() {
  bool gained = false;
  for (size_t cell = 0; cell < best_.size(); ++cell)
    for (const int digits : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 15, 16}) {
      if (!is_free(cell) || best_[cell] == 0 || !std::isfinite(best_[cell]))
        break;
      // The nearest one may lie beyond the decision: one of its neighbours does not.
      const long double power = std::pow(10.0L, std::floor(std::log10(std::fabs(best_[cell]))) - (digits - 1));
      const long double nearest = numeric::rounded_decimal(best_[cell], digits);
      if (std::ranges::any_of(std::initializer_list<long double>{nearest,
                                                                 numeric::rounded_decimal(nearest - power, digits),
                                                                 numeric::rounded_decimal(nearest + power, digits)},
                              [&](long double value) { return improve_cell(cell, value); })) {
        gained = true;
        break;
      }
    }
  return gained;
}

exec::Input Tidier::tidied(const exec::Input& input) {
  const tape::Tape tape = evaluator_.run(input);
  if (!evaluator_.ended())
    return input;
  best_ = input;
  const std::vector<tape::Branch> decisions = tape::path(tape);
  strangeness_ = strangeness(space_, input, tape, decisions, evaluator_.outcome());
  wanted_ = outcomes_in(decisions);
  const uint64_t cost = std::max<uint64_t>(tape.size(), least_records);
  const uint64_t given = std::min(most_attempts, allowance_ / cost);
  attempts_ = given;
  best_ = with_zeros(space_, best_, [&](const exec::Input& candidate) { return improves(candidate); });
  to_positive();
  for (int round = 0; round < most_rounds; ++round) {
    const bool plainer = to_plain_values();
    to_smaller_exponents();
    const bool shorter = to_few_digits();
    if (!plainer && !shorter)
      break;
  }
  allowance_ -= (given - attempts_) * cost;
  return best_;
}

} // namespace faultline::search
