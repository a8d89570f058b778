// Before a hunt: arrays of which nobody says how long they are get the extents that running their function tells
// (judge/extents/). From there on all is as if --size, --hold and --range had said so, in reports and commands, too.
#pragma once

#include "finding/extents.h"
#include "hunt/options.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

// What running a function has told of its arrays.
struct Measured {
  std::vector<finding::FoundExtent> extents; // of those that have a size by it
  std::string note;                          // for the user; empty: there was nothing to find
  bool cut = false;
};

// What came of running a function: extents, or why there are none.
struct ExtentAnswer {
  std::optional<finding::FoundExtents> found;
  std::string why_not;
};

// Answers of earlier runs, so that functions of a campaign are measured once. `hash`: of all that the answer depends
// on.
struct ExtentMemory {
  std::function<std::optional<ExtentAnswer>(const frontend::Target& target, const std::string& hash)> recall;
  std::function<void(const frontend::Target& target, const std::string& hash, const ExtentAnswer& answer)> keep;
};

// One for each target, whose layouts and settings change by it. A function that cannot be measured and needs to be
// stays unsuitable.
std::vector<Measured> measure(frontend::Program& program, std::vector<frontend::Target>& targets,
                              std::vector<finding::Settings>& settings, const Options& options,
                              const std::atomic<bool>& stop, const ExtentMemory* memory = nullptr);

// The same for one target. Throws UserError if it cannot be measured.
Measured measure(frontend::Program& program, frontend::Target& target, finding::Settings& settings,
                 const Options& options);

} // namespace faultline::campaign
