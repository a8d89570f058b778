// Test vectors, run against a build: what has become worse. Plain data, made by hunt/vectors/checking.h.
#pragma once

#include "finding/vectors/vector.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace faultline::finding {

// Smaller errors count as this one: another compiler or libm may round in another way, and an ulp or two come of it.
inline constexpr double least_ulps = 2;

// Is the error now more than `factor` times that of the file?
inline bool grew(double before, double now, double factor) { return now > factor * std::max(before, least_ulps); }

struct VectorFailure {
  size_t vector = 0;  // in its set, from 0
  std::string output; // empty: the call did not return
  Number computed;    // now
  double before = 0, now = 0;
  std::string ending; // how the call ended
};

// Of some errors, in ulps. Where some are infinite, only the largest of the others can tell two builds apart.
struct LargestErrors {
  double finite = 0;
  size_t infinite = 0;

  void add(double ulps) {
    if (std::isinf(ulps))
      ++infinite;
    else
      finite = std::max(finite, ulps);
  }
  double of_all() const { return infinite > 0 ? std::numeric_limits<double>::infinity() : finite; }
};

struct CheckedSet {
  std::string function;
  std::string missing; // why it could not be run; empty: it was
  size_t vectors = 0;
  size_t unlike = 0; // that give another value than in the file, be it better or worse
  LargestErrors largest_before = {}, largest = {};
  std::vector<VectorFailure> failures;
};

} // namespace faultline::finding
