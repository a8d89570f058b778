#include "judge/diagnosis/simplify.h"

#include "numeric/decimal.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::judge {

using finding::Cause;
using finding::Finding;
namespace {

constexpr uint64_t most_attempts = 200, most_records = 4'000'000; // for one finding
constexpr uint64_t least_records = 1000;                          // what a run costs, however short it is

bool same_place(const std::optional<Cause>& a, const std::optional<Cause>& b) {
  if (!a || !b)
    return a.has_value() == b.has_value();
  return a->file == b->file && a->line == b->line && a->operation == b->operation;
}

// The number with so many significant decimal digits that is nearest.
long double rounded(long double value, int digits) {
  return numeric::parse_long_double(fmt::format("{:.{}e}", value, digits - 1)).value_or(value);
}

long double power_of_ten(long double value) {
  return numeric::parse_long_double(fmt::format("1e{}", std::lround(std::log10(std::fabs(value))))).value_or(value);
}

} // namespace

bool Simplifier::shows(const exec::Input& candidate) {
  if (attempts_ == 0)
    return false;
  --attempts_;
  for (Found& found : judge_.errors(candidate, wanted_->strategy)) {
    const Finding& finding = found.finding;
    if (finding.kind != wanted_->kind || !same_place(finding.cause, wanted_->cause) || !finding.error ||
        !finding.output || !(finding.error->relative >= wanted_->error->relative / 2))
      continue;
    // Where the exact result is zero any error is infinite: that is another story.
    if (std::isinf(finding.error->relative) && std::isfinite(wanted_->error->relative))
      continue;
    shown_ = std::move(found);
    return true;
  }
  return false;
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

// Halves, quarters, ... of the cells to 0, and what is left, cell by cell, to 1.
void Simplifier::to_defaults(exec::Input& input) {
  std::vector<size_t> cells;
  for (size_t i = 0; i < input.size(); ++i)
    if (is_free(i))
      cells.push_back(i);
  for (size_t length = cells.size(); length > 0; length /= 2)
    for (size_t first = 0; first < cells.size(); first += length) {
      exec::Input candidate = input;
      for (size_t i = first; i < std::min(first + length, cells.size()); ++i)
        candidate[cells[i]] = space_.dimensions[cells[i]].nearest(0);
      if (candidate != input && shows(candidate))
        input = std::move(candidate);
    }
  for (const size_t cell : cells)
    if (input[cell] != 0)
      try_value(input, cell, 1);
}

void Simplifier::to_positive(exec::Input& input) {
  exec::Input positive = input;
  for (size_t i = 0; i < input.size(); ++i)
    if (is_free(i))
      positive[i] = space_.dimensions[i].nearest(std::fabs(input[i]));
  if (positive != input && shows(positive)) {
    input = std::move(positive);
    return;
  }
  for (size_t i = 0; i < input.size(); ++i)
    if (is_free(i) && input[i] < 0)
      try_value(input, i, -input[i]);
}

void Simplifier::to_few_digits(exec::Input& input) {
  auto is_done = [](long double value) { return value == 0 || std::fabs(value) == 1 || !std::isfinite(value); };
  for (const int digits : {1, 2, 3, 4, 6, 8}) { // all at once: enough for most
    exec::Input candidate = input;
    for (size_t i = 0; i < input.size(); ++i)
      if (is_free(i) && !is_done(input[i]))
        candidate[i] = space_.dimensions[i].nearest(rounded(input[i], digits));
    if (input.size() > 1 && candidate != input && shows(candidate)) {
      input = std::move(candidate);
      break;
    }
  }
  for (size_t i = 0; i < input.size(); ++i) {
    if (!is_free(i) || is_done(input[i]) || try_value(input, i, std::copysign(power_of_ten(input[i]), input[i])))
      continue;
    for (const int digits : {1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 14, 15, 16})
      if (try_value(input, i, rounded(input[i], digits)) ||
          space_.dimensions[i].nearest(rounded(input[i], digits)) == input[i])
        break;
  }
}

std::optional<Found> Simplifier::simplest(const Finding& finding, uint64_t records) {
  const exec::Input& input = finding.values;
  if (!finding.error || !(finding.error->relative > 0) || input.size() != space_.dimensions.size())
    return std::nullopt;
  const uint64_t cost = std::max(records, least_records);
  attempts_ = std::min({most_attempts, most_records / cost, allowance_ / cost});
  const uint64_t given = attempts_;
  wanted_ = &finding;
  exec::Input simple = input;
  to_defaults(simple);
  to_positive(simple);
  to_few_digits(simple);
  allowance_ -= (given - attempts_) * cost;
  return simple == input ? std::nullopt : std::optional(std::move(shown_));
}

} // namespace faultline::judge
