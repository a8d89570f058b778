// The assertions of a system in negation normal form. Each term and polarity has one goal, so shared terms remain
// shared.
#pragma once

#include "solve/newton/violation.h"

namespace faultline::solve {

struct Goals {
  std::vector<Goal> goals; // a and b are terms here, not slots
  std::vector<uint32_t> roots;
  std::vector<constraint::Term> terms; // used by atoms
};

Goals goals_of(const constraint::System& system);

} // namespace faultline::solve
