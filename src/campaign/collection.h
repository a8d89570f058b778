// Findings with one entry a cause: near-duplicates are merged. The largest error speaks for all; a few of the others
// stay with it as further witnesses.
#pragma once

#include "campaign/finding.h"

namespace faultline::campaign {

class Collection {
public:
  void add(Finding finding);

  // Errors first, largest first; then what division by zero, invalid operations and so on left.
  std::vector<Finding> sorted();

private:
  std::vector<Finding> findings_;
};

} // namespace faultline::campaign
