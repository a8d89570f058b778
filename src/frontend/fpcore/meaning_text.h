// An FPCore's :spec as a meaning (docs/meaning.md).
#pragma once

#include "frontend/fpcore/core.h"

#include <optional>
#include <string>

namespace faultline::frontend::fpcore {

struct Meaning {
  std::string text;     // empty: there is none
  std::string obstacle; // what a meaning cannot express; empty: nothing
};

// A :spec that is the name of another core of the file means that core's body.
Meaning meaning_of(const Core& core, const std::vector<Core>& cores);

} // namespace faultline::frontend::fpcore
