// Lines of two versions of a source: which lines belong together, and which were changed.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace faultline::run {

struct LineMap {
  std::map<int, int> first_of;  // the line of the first version for each line of the second one; none: it was added
  std::vector<int> changed[2];  // lines of each version that the other one does not have
  std::map<int, int> rewritten; // of `first_of`, those with another text
};

// By the longest common subsequence of lines. Changed lines of equal number between two common ones belong together.
LineMap line_map(const std::string& first, const std::string& second);

} // namespace faultline::run
