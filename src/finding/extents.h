// Lengths of arrays that are not declared, found by running the function (judge/extents/).
#pragma once

#include "finding/settings/settings.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace faultline::finding {

struct FoundExtent {
  std::string parameter;
  std::vector<uint64_t> extents; // in the form of --size; {1}: a single number
  std::string formula = {};      // "n * n"; empty: the same in all runs, or the largest seen
  bool endless = false;          // some runs went beyond every size
  bool before = false;           // a run accessed memory before the beginning of the array

  bool operator==(const FoundExtent&) const = default;
};

// The extents that a hunt uses for a function.
struct FoundExtents {
  std::vector<FoundExtent> arrays;
  std::map<std::string, int64_t> held; // integers that the extents depend on
  std::map<std::string, Range> ranges; // of other integers: the values that were tried
  bool cut = false;                    // the time limit ended it: another run may give another result

  bool operator==(const FoundExtents&) const = default;
};

} // namespace faultline::finding
