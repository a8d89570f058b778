// How many elements of its arrays a call touches: they are given few, and more where the call goes beyond, until it
// does not any more.
#pragma once

#include "exec/extents/extent_probe.h"

#include <functional>
#include <vector>

namespace faultline::judge {

struct Growth {
  enum class End : uint8_t {
    settled,   // it stays within these extents
    endless,   // it goes further than an array may be long
    before,    // it goes to where the array has not begun
    elsewhere, // it goes beyond something that has a size of its own
  };
  End end = End::settled;
  size_t array = 0;                                // that it left, unless it has settled
  std::vector<uint64_t> extents;                   // that it touches, as far as is known
  exec::Outcome outcome = exec::Outcome::returned; // of the last call
};

// The call with arrays of these extents.
using CallWith = std::function<exec::ProbedCall(const std::vector<uint64_t>& extents)>;

// Begins with the extents that are given: an array that needs fewer keeps them.
Growth grow(std::vector<uint64_t> extents, uint64_t most, const CallWith& call);

} // namespace faultline::judge
