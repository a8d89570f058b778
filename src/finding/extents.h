// How long arrays are of which nobody says so: what runs of the function have told (judge/extents/).
#pragma once

#include "finding/settings/settings.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace faultline::finding {

struct FoundExtent {
  std::string parameter;
  std::vector<uint64_t> extents; // as --size takes them; {1}: it is one number
  std::string formula = {};      // "n * n"; empty: it is the same in all runs, or the largest that was seen
  bool endless = false;          // there were runs that went beyond every size
  bool before = false;           // there was one that went to where the array has not begun

  bool operator==(const FoundExtent&) const = default;
};

// What a hunt in the function goes by.
struct FoundExtents {
  std::vector<FoundExtent> arrays;
  std::map<std::string, int64_t> held; // integers that the extents depend on
  std::map<std::string, Range> ranges; // of other integers: those that were tried
  bool cut = false;                    // the clock ended it: another time it may come to something else

  bool operator==(const FoundExtents&) const = default;
};

} // namespace faultline::finding
