#include "goal/inaccuracy.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline::goal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

bool is_normal(long double value, numeric::Format format) {
  return std::isfinite(value) && value != 0 && std::ilogb(value) >= numeric::info(format).min_exponent;
}

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

} // namespace faultline::goal
