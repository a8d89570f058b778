#include "goal/branch.h"

#include "numeric/ordered.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline::goal {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

double bits(double distance) { return std::log2(1 + std::fabs(distance)); }

} // namespace

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

} // namespace faultline::goal
