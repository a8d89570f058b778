// Findings with one entry a cause: near-duplicates are merged. The largest error speaks for all; a few of the others
// stay with it as further witnesses.
#pragma once

#include "finding/finding.h"

namespace faultline::finding {

class Collection {
public:
  void add(Finding finding);

  // Errors first, largest first; then crashes, divisions by zero and invalid operations, overflows, underflows. Of a
  // kind of exception: the silent ones before those that are reported, those that reach the output before the others,
  // the avoidable ones before the others, and what follows from another exception last. What is harmless comes last.
  std::vector<Finding> sorted();

private:
  std::vector<Finding> findings_;
};

} // namespace faultline::finding
