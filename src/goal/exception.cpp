#include "goal/exception.h"

#include "numeric/format.h"
#include "tape/exceptions.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline::goal {

using numeric::Format;

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_normal(numeric::Value value, numeric::Format format) {
  return std::isfinite(value) && value != 0 && std::ilogb(value) >= numeric::info(format).min_exponent;
}

double bits(double distance) { return std::log2(1 + std::fabs(distance)); }

} // namespace

std::string_view name(Check check) { return check == Check::precision_loss ? "precision loss" : "cancellation"; }

double distance(Check check, int bits, const tape::Summands& summands, numeric::Format format) {
  if (!is_normal(summands.a, format) || !is_normal(summands.b, format))
    return infinity;
  const int a = std::ilogb(summands.a), b = std::ilogb(summands.b);
  if (check == Check::precision_loss)
    return std::max(0, bits - std::abs(a - b));
  if (summands.result == 0)
    return 0;
  const int result =
      std::isfinite(summands.result) ? std::ilogb(summands.result) : numeric::info(format).max_exponent + 1;
  return std::max(0, bits - (std::max(a, b) - result));
}

double distance(const Inaccuracy& goal, const tape::Tape& tape) {
  return distance(goal, tape, tape::places(tape.table()));
}

double distance(const Inaccuracy& goal, const tape::Tape& tape, std::span<const uint32_t> places) {
  const uint32_t record = tape::find_execution(tape, places, goal.place, goal.execution);
  if (record == 0)
    return infinity;
  return distance(goal.check, goal.bits, tape::summands(tape, record), tape.site(record).format);
}

bool happened(const Inaccuracy& goal, const tape::Tape& tape) { return distance(goal, tape) == 0; }

bool happened(const Branch& goal, const tape::Tape& tape) {
  const std::vector<tape::Branch> path = tape::path(tape);
  return std::any_of(path.begin(), path.end(), [&](const tape::Branch& branch) {
    return branch.site == goal.site && branch.outcome == goal.outcome;
  });
}

double distance(const tape::Tape& tape, const tape::Branch& decision, int64_t wanted) {
  if (decision.outcome == wanted)
    return 0;
  const tape::Record& record = tape.record(decision.record);
  const tape::Site& site = tape.site(decision.record);
  if (ops::is_comparison(site.op)) {
    const double a = tape.value(record.a), b = tape.value(record.b);
    if (std::isnan(a) || std::isnan(b))
      return 64;
    return std::log2(1 + double(numeric::ulps_between(a, b)));
  }
  if (ops::is_to_int(site.op))
    return bits(tape.value(record.a) - double(wanted));
  return record.a != 0 && record.b != 0 ? bits(tape.value(record.a) - tape.value(record.b)) : 1;
}

double distance(const Branch& goal, const tape::Tape& tape) {
  double least = infinity;
  for (const tape::Branch& branch : tape::path(tape))
    if (branch.site == goal.site)
      least = std::min(least, distance(tape, branch, goal.outcome));
  return least;
}

using Kind = ops::Exception;

namespace {

constexpr int result = Condition::result;

bool is_in(Format format, numeric::Value value) { return numeric::nearest(value, format) == value; }

// Returns the triggers of values outside the integer type.
std::vector<Trigger> beyond_integers(const runtime::Site& site) {
  const auto is_invalid = [](Condition condition) { return Trigger{Kind::invalid, {condition}}; };
  const numeric::Value end = std::ldexp(1.0L, site.integer_bits - (site.integer_signed ? 1 : 0));
  const numeric::Value low = site.integer_signed ? -end : 0;
  // Rounding is toward zero, so every value above low - 1 has an integer. If low - 1 is not in the format, the end is
  // low.
  return {is_invalid({0, Relation::at_least, end}),
          is_invalid(is_in(site.format, low - 1) ? Condition{0, Relation::at_most, low - 1}
                                                 : Condition{0, Relation::below, low})};
}

// The order of the floats, in binades: one double is 2^-52 binades.
template <class Float> double apart(auto x, auto y) {
  return double(numeric::ulps_between(Float(x), Float(y))) * numeric::epsilon(numeric::format_of_type<Float>());
}

template <class Float> double distance(const Condition& condition, Float x) {
  using Limits = std::numeric_limits<Float>;
  const auto value = Float(condition.value);
  constexpr double one_float = numeric::epsilon(numeric::format_of_type<Float>());
  switch (condition.relation) {
  case Relation::below:
    return x < value ? 0 : one_float + apart<Float>(x, value);
  case Relation::above:
    return x > value ? 0 : one_float + apart<Float>(x, value);
  case Relation::at_least:
    return x >= value ? 0 : apart<Float>(x, value);
  case Relation::at_most:
    return x <= value ? 0 : apart<Float>(x, value);
  case Relation::beyond:
    return std::fabs(x) > value ? 0 : one_float + apart<Float>(std::fabs(x), value);
  case Relation::equal:
    return x == value ? 0 : apart<Float>(x, value);
  case Relation::unequal:
    return x != value ? 0 : one_float;
  case Relation::whole:
    return apart<Float>(x, std::rint(x));
  case Relation::broken:
    return x != std::rint(x) ? 0 : one_float;
  case Relation::infinite:
    return apart<Float>(std::fabs(x), Limits::infinity());
  case Relation::tiny:
    return std::fabs(x) < Limits::min() ? 0 : one_float + apart<Float>(std::fabs(x), Limits::min());
  }
  return infinity;
}

double distance(const Condition& condition, numeric::Value x, Format format) {
  return numeric::with_type(
      format, [&](auto type) { return distance(condition, static_cast<typename decltype(type)::type>(x)); });
}

} // namespace

std::vector<Trigger> triggers(const runtime::Site& site, Kind kind) {
  if (ops::is_to_int(site.op))
    return kind == Kind::invalid ? beyond_integers(site) : std::vector<Trigger>();
  std::vector<Trigger> found;
  for (const Trigger& trigger : ops::entry(site.op).raises)
    if (trigger.kind == kind)
      found.push_back(trigger);
  return found;
}

double distance(const std::vector<Trigger>& triggers, const tape::Tape& tape, uint32_t index) {
  const tape::Record& record = tape.record(index);
  const tape::Site& site = tape.site(index);
  const int arity = ops::arity(site.op);
  numeric::Value values[4] = {tape.exact(record.a), arity > 1 ? tape.exact(record.b) : 0,
                              arity > 2 ? tape.exact(record.c) : 0, 0};
  for (int i = 0; i < arity; ++i)
    if (!std::isfinite(values[i]))
      return infinity;
  values[result] = ops::is_to_int(site.op) ? 0 : tape.exact(index);
  double least = infinity;
  for (const Trigger& trigger : triggers) {
    double sum = 0;
    for (const Condition& condition : trigger)
      sum += distance(condition, values[condition.operand],
                      condition.operand == result ? site.format : site.operand_format);
    least = std::min(least, sum);
  }
  return least;
}

double distance(const Exception& goal, const tape::Tape& tape) {
  const std::vector<Trigger> conditions = triggers(tape.table().sites[goal.site], goal.kind);
  double least = infinity;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.record(index).site == goal.site)
      least = std::min(least, distance(conditions, tape, index));
  return least;
}

bool happened(const Exception& goal, const tape::Tape& tape) {
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.record(index).site == goal.site && tape::exception_of(tape, index) == goal.kind)
      return true;
  return false;
}

} // namespace faultline::goal
