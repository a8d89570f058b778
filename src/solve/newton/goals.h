// The assertions of a system in negation normal form. One goal for each term and polarity, so shared terms stay shared.
#pragma once

#include "solve/newton/violation.h"

namespace faultline::solve {

struct Goals {
  std::vector<Goal> goals; // a and b are terms here, not yet slots
  std::vector<uint32_t> roots;
  std::vector<constraint::Term> terms; // that atoms look at
};

Goals goals_of(const constraint::System& system);

} // namespace faultline::solve
