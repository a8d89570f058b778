// Findings by their cause: near-duplicates are merged. Two findings of each cause are kept. The representative has the
// highest tier, then an everyday input, then the largest error, where all errors of 1 or more are equal. The other one
// has the largest error. A few of the others are kept as witnesses of the largest.
#pragma once

#include "model/finding.h"

namespace faultline::model {

class Collection {
public:
  void add(Finding finding);

  // The findings of one cause: its representative, and the one with the largest error if that is a different one.
  // Further witnesses belong to the largest.
  struct Entry {
    Finding largest;
    std::optional<Finding> representative; // none: `largest` is the representative
  };
  std::vector<Entry> entries(); // moves the entries out

private:
  std::vector<Entry> entries_;
};

// Sorts errors first, largest first; then crashes, divisions by zero and invalid operations, overflows, underflows.
// Within a kind of exception: silent ones before reported ones, those that reach the output first, avoidable ones
// first, and consequences of another exception last. Harmless findings come last of all.
void sort_findings(std::vector<Finding>& findings);

// Limits the findings of one line. It can have hundreds of operations that fail alike, such as the terms of a long sum.
// Of each kind, the most important few and the one with the largest error are kept. The first counts the others in
// `merged`.
void leave_few(std::vector<Finding>& findings);

// Makes `largest` a witness of `representative`, if it is not worth a finding of its own.
void merge_into(Finding& representative, Finding largest);

// True if the error is so much larger that it is worth a finding of its own.
bool is_much_larger(const Finding& finding, const Finding& representative);

} // namespace faultline::model
