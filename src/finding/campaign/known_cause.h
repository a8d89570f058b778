// What is known of a function before another search in it: causes whose findings were diagnosed already. Meeting one
// again is counted and costs nothing more, unless it is worse than what is known.
#pragma once

#include "finding/collection.h"
#include "finding/tier.h"

#include <string>
#include <vector>

namespace faultline::finding {

struct KnownCause {
  Kind kind = Kind::inaccuracy;
  std::string file;
  int line = 0, column = 0;
  std::string operation;
  Tier tier = Tier::note; // the best of its findings, as are the next two
  bool everyday = false;
  double size = 0; // capped_size

  bool operator==(const KnownCause&) const = default;
};

// Of findings that have a place.
std::vector<KnownCause> known_causes(const std::vector<Finding>& findings);

// Is all that the entry says known: a cause of these, no higher tier, no more everyday, no error twice as large?
bool says_nothing_new(const Collection::Entry& entry, const std::vector<KnownCause>& known);

} // namespace faultline::finding
