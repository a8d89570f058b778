#include "finding/cover_report.h"

#include <algorithm>

namespace faultline::finding {

size_t CoverReport::count(Standing standing) const {
  return size_t(std::ranges::count(branches, standing, &CoveredBranch::standing));
}

} // namespace faultline::finding
