// The time of a hunt in one function, on the clock, whatever the code under test does: so many budgets, and seconds for
// machines that are slow with small ones. Searches end by themselves earlier (judge/tasks/deadline.h).
#pragma once

#include "finding/settings/settings.h"
#include "judge/extents/extent_search.h"

#include <algorithm>

namespace faultline::campaign {

inline double seconds_to_search(const finding::Settings& settings) {
  constexpr double share = 1.9, slack = 0.6;
  return share * settings.budget_seconds + slack;
}

// How long arrays are, once a run went beyond them.
inline double seconds_to_measure(const finding::Settings& settings) {
  constexpr double slack = 1;
  return judge::extent_share * settings.budget_seconds + slack;
}

// By a fresh worker, in what is left of the whole.
inline double seconds_to_confirm(const finding::Settings& settings, double spent) {
  constexpr double share = 2, slack = 1;
  const double whole = share * settings.budget_seconds + slack;
  return std::max(whole - spent, whole - seconds_to_search(settings));
}

} // namespace faultline::campaign
