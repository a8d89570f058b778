// What became of test vectors that were run against a build: for people, and for scripts.
#pragma once

#include "finding/vectors/vector.h"

#include <string>
#include <vector>

namespace faultline::report {

// Some sets of vectors and what was seen of them, in the same order.
struct CheckedVectors {
  std::string file;
  double factor = 2;
  std::vector<finding::VectorSet> sets;
  std::vector<finding::CheckedSet> checked;

  size_t failed() const;
  size_t missing() const; // functions
};

// A line for each function, after lines for its vectors that fail; `quiet`: only what is wrong.
std::string checked_text(const CheckedVectors& all, bool quiet);
std::string checked_json(const CheckedVectors& all);

} // namespace faultline::report
