// Results of running test vectors against a build, for people and for scripts.
#pragma once

#include "model/vectors/vector.h"

#include <string>
#include <vector>

namespace faultline::report {

// Sets of vectors and their results, in the same order.
struct CheckedVectors {
  std::string file;
  double factor = 2;
  std::vector<model::VectorSet> sets;
  std::vector<model::CheckedSet> checked;

  size_t failed() const;
  size_t missing() const; // number of functions
};

// Returns a line per function, preceded by lines for its vectors that fail. `quiet`: only failures.
std::string checked_text(const CheckedVectors& all, bool quiet);
std::string checked_json(const CheckedVectors& all);

} // namespace faultline::report
