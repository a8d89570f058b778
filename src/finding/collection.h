// Findings by their cause: near-duplicates are merged. Of each cause two are kept: the one that speaks for it, of the
// highest tier, everyday before others and then the largest, but all errors of 1 or more alike; and the one with the
// largest error, if that is another. A few of the others stay with the largest as further witnesses.
#pragma once

#include "finding/finding.h"

namespace faultline::finding {

class Collection {
public:
  void add(Finding finding);

  // What was added of one cause: the finding that speaks for it, and the one with the largest error, if that is
  // another. Further witnesses are with the largest.
  struct Entry {
    Finding largest;
    std::optional<Finding> speaker; // none: the largest speaks for itself
  };
  std::vector<Entry> entries(); // nothing is left here

private:
  std::vector<Entry> entries_;
};

// Errors first, largest first; then crashes, divisions by zero and invalid operations, overflows, underflows. Of a kind
// of exception: the silent ones before those that are reported, those that reach the output before the others, the
// avoidable ones before the others, and what follows from another exception last. What is harmless comes last.
void sort_findings(std::vector<Finding>& findings);

// One line can have hundreds of operations that fail alike, such as the terms of a long sum. Of each kind the few that
// matter most are left, and the one with the largest error; the first of them counts the others among its `merged`.
void leave_few(std::vector<Finding>& findings);

// A largest error that is not worth a finding of its own becomes a witness of the one that speaks.
void absorb(Finding& speaker, Finding largest);

// Is the error so much larger that it is worth a finding of its own beside the one that speaks?
bool is_much_larger(const Finding& finding, const Finding& speaker);

} // namespace faultline::finding
