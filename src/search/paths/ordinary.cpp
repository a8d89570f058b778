#include "search/paths/ordinary.h"

#include "numeric/decimal.h"
#include "search/line.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::search {

namespace {

// The largest number of values per input whose combinations do not exceed the limit.
size_t values_of_a_grid(size_t inputs, size_t most) {
  size_t side = 1;
  const auto fits = [&](size_t values) {
    double points = 1;
    for (size_t i = 0; i < inputs && points <= double(most); ++i)
      points *= double(values);
    return points <= double(most);
  };
  while (fits(side + 1) && side < most)
    ++side;
  return side;
}

// Selects values: the least strange ones, and a quarter that are constants of the program, which equations need.
std::vector<Value> values_for_grid(const std::vector<Value>& values, const std::vector<Value>& constants, size_t most) {
  if (values.size() <= most)
    return values;
  std::vector<Value> chosen(values.begin(), values.begin() + long(most - most / 4));
  const auto add = [&](bool only_constants) {
    for (const Value value : values)
      if (chosen.size() < most && std::ranges::find(chosen, value) == chosen.end() &&
          (!only_constants || std::ranges::find(constants, value) != constants.end()))
        chosen.push_back(value);
  };
  add(true);
  add(false);
  return chosen;
}

} // namespace

std::vector<Value> everyday_values(const Dimension& dimension, const std::vector<Value>& constants) {
  std::vector<Value> values;
  for (int i = 0; i <= 10; ++i)
    values.push_back(i);
  values.insert(values.end(), {0.5L, 1.5L, 2.5L, 20, 50});
  for (const Value power : {1e-9L, 1e-6L, 1e-3L, 0.01L, 0.1L, 100.0L, 1e3L, 1e4L, 1e5L, 1e6L, 1e9L})
    values.push_back(power);
  for (const Value constant : constants)
    for (const Value value : {constant, constant - 1, constant + 1, constant / 2, constant * 2})
      values.push_back(value);
  const size_t positive = values.size();
  for (size_t i = 0; i < positive; ++i)
    values.push_back(-values[i]);
  values.insert(values.end(), {dimension.low, dimension.high, dimension.low / 2 + dimension.high / 2});
  std::erase_if(values, [&](Value value) { return value < dimension.low || value > dimension.high; });
  for (Value& value : values)
    value = dimension.nearest(value) + 0.0L; // no -0
  std::erase_if(values, [&](Value value) { return !is_everyday(dimension, value); });
  std::ranges::sort(values, {}, [&](Value value) { return std::pair(strangeness(dimension, value), value); });
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::vector<exec::Input> everyday_points(const Space& space, const std::vector<Value>& constants, size_t most,
                                         numeric::Rng rng) {
  std::vector<std::vector<Value>> values;
  size_t inputs = 0;
  for (const Dimension& dimension : space.dimensions) {
    values.push_back(dimension.held() ? std::vector{dimension.low} : everyday_values(dimension, constants));
    if (values.back().empty()) // no small value lies within the range
      values.back().push_back(dimension.low);
    inputs += values.back().size() > 1;
  }
  if (inputs == 0)
    return {};
  const size_t side = values_of_a_grid(inputs, most / 2);
  std::vector<std::vector<Value>> grid;
  for (const std::vector<Value>& some : values)
    grid.push_back(values_for_grid(some, constants, side));
  std::vector<exec::Input> points;
  std::vector<size_t> at(values.size()); // digits of the number of a grid point
  for (bool more = true; more;) {
    exec::Input point;
    for (size_t i = 0; i < grid.size(); ++i)
      point.push_back(grid[i][at[i]]);
    points.push_back(std::move(point));
    more = false;
    for (size_t i = at.size(); i > 0 && !more; --i) { // the last digit changes fastest: 3, 4, 5 comes before 4, 3, 5
      more = ++at[i - 1] < grid[i - 1].size();
      if (!more)
        at[i - 1] = 0;
    }
  }
  // A grid of all values leaves nothing to draw.
  if (grid == values)
    return points;
  for (size_t drawn = 0; drawn < most / 2; ++drawn) {
    exec::Input point;
    for (const std::vector<Value>& some : values)
      point.push_back(some[rng.below(some.size())]);
    points.push_back(std::move(point));
  }
  return points;
}

// Guesses: at most a second for all inputs of a target with long runs, a negligible time for short ones.
constexpr uint64_t most_attempts = 600, most_records = 10'000'000;
constexpr uint64_t least_records = 1000; // the minimum cost of a run
constexpr int most_rounds = 3;

Tidier::Tidier(Evaluator& evaluator, const Space& space, const std::vector<Value>& constants)
    : evaluator_(evaluator), space_(space), allowance_(most_records) {
  for (const Dimension& dimension : space.dimensions)
    values_.push_back(everyday_values(dimension, constants));
}

bool Tidier::improves(const exec::Input& candidate) {
  if (attempts_ == 0 || evaluator_.spent())
    return false;
  --attempts_;
  if (strangeness(space_, candidate) >= strangeness_)
    return false; // not run
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

bool Tidier::improve_cell(size_t cell, Value value) {
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

// If no everyday value works, finds the power of ten nearest to one by bisection. Assumes that all beyond it work,
// which holds for comparisons with a constant.
void Tidier::to_smaller_exponents() {
  for (size_t cell = 0; cell < best_.size(); ++cell) {
    const Value value = best_[cell];
    if (!is_free(cell) || !std::isfinite(value) || is_everyday(space_.dimensions[cell], value))
      continue;
    int near = 0, far = int(std::floor(std::log10(std::fabs(value))));
    while (std::abs(far - near) > 1) {
      const int middle = near + (far - near) / 2;
      const Value power = numeric::parse_long_double(fmt::format("1e{}", middle)).value_or(1);
      (improve_cell(cell, std::copysign(power, value)) ? far : near) = middle;
    }
  }
}

bool Tidier::to_plain_values() {
  bool gained = false;
  for (size_t cell = 0; cell < best_.size(); ++cell)
    if (is_free(cell) && best_[cell] != 0)
      gained |= std::ranges::any_of(values_[cell], [&](Value value) { return improve_cell(cell, value); });
  return gained;
}

bool Tidier::to_few_digits() {
  bool gained = false;
  for (size_t cell = 0; cell < best_.size(); ++cell)
    for (const int digits : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 15, 16}) {
      if (!is_free(cell) || best_[cell] == 0 || !std::isfinite(best_[cell]))
        break;
      // The nearest one may lie beyond the decision; one of its neighbours does not.
      const Value power = std::pow(10.0L, std::floor(std::log10(std::fabs(best_[cell]))) - (digits - 1));
      const Value nearest = numeric::rounded_decimal(best_[cell], digits);
      if (std::ranges::any_of(std::initializer_list<Value>{nearest, numeric::rounded_decimal(nearest - power, digits),
                                                           numeric::rounded_decimal(nearest + power, digits)},
                              [&](Value value) { return improve_cell(cell, value); })) {
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

// Guesses. All limits are counted, so that the same seed gives the same tests.
constexpr size_t most_points = 3000;              // 11 small integers for each of three inputs, and as many others
constexpr uint64_t records_of_points = 2'000'000; // a tenth of a second
constexpr uint64_t share_of_evaluations = 4;      // the part for points, where evaluations are limited
constexpr uint64_t share_of_effort = 4;           // the part for a question about everyday inputs
constexpr uint64_t most_questions = 500;
constexpr size_t most_ways = 4; // paths to a decision that are tried for an everyday input

Ordinary::Ordinary(Evaluator& evaluator, const Space& space, const std::vector<constraint::InputRange>& inputs,
                   const PathsLimits& limits, numeric::Rng rng)
    : evaluator_(evaluator), space_(space), limits_(limits), inputs_(everyday_ranges(inputs, space)),
      constants_(telling_constants(evaluator.session().sites())), tidier_(evaluator, space, constants_), rng_(rng) {}

void Ordinary::try_points(const TryInput& try_input) {
  const Evaluator::FoundBy found_by(evaluator_, "sampling");
  size_t most = most_points;
  if (const auto left = evaluator_.evaluations_left())
    most = std::min<size_t>(most, *left / share_of_evaluations);
  const uint64_t end = evaluator_.records() + records_of_points;
  for (const exec::Input& point : everyday_points(space_, constants_, most, rng_.fork("points"))) {
    if (evaluator_.spent() || evaluator_.records() > end)
      return;
    try_input(point);
  }
}

PathAnswer Ordinary::ask(PathQuestion question) {
  if (questions_ >= most_questions)
    return {};
  question.effort = limits_.effort / share_of_effort;
  PathAnswer answer = search::ask(evaluator_, question, inputs_, limits_, rng_);
  questions_ += answer.asked;
  return answer;
}

void Ordinary::improve(const PathTree& tree, const std::vector<std::pair<uint32_t, int64_t>>& outcomes,
                       const TryInput& try_input) {
  std::vector<exec::Input> tidied; // including those that were already tidy
  for (const auto& [site, outcome] : outcomes) {
    if (!tree.covered(site, outcome) || evaluator_.spent())
      continue;
    if (const exec::Input input = *tree.covered(site, outcome); std::ranges::find(tidied, input) == tidied.end()) {
      tidied.push_back(tidier_.tidied(input));
      try_input(tidied.back());
    }
    if (tree.strangeness(site, outcome) >= strange)
      look_elsewhere(tree, site, outcome, try_input);
  }
}

// The known run took this way because of an infinity or by unused values.
void Ordinary::look_elsewhere(const PathTree& tree, uint32_t site, int64_t outcome, const TryInput& try_input) {
  size_t ways = 0;
  for (size_t i = 0; i < tree.nodes().size() && ways < most_ways; ++i) {
    const PathTree::Node node = tree.nodes()[i]; // a copy, since a run may add nodes
    if (node.site != site || evaluator_.spent())
      continue;
    ++ways;
    if (const PathAnswer answer = ask({.node = node, .not_these = {}, .to = outcome}); answer.input) {
      try_input(*answer.input);
      try_input(tidier_.tidied(*answer.input));
      if (tree.strangeness(site, outcome) < strange)
        return;
    }
  }
}

} // namespace faultline::search
