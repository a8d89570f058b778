// Results that are right in more than one way: a set in any order (eigenvalues, roots), a vector with either sign
// (eigenvectors). What was computed is compared with the reference that is meant.
#pragma once

#include "oracle/judgement.h"

#include <span>

namespace faultline::judge {

// What each element should have been, and how far that is known.
struct Meant {
  numeric::BigFloat reference;
  int64_t good_bits = INT64_MAX;
};

// Smallest to smallest, and so on. One for each element; as they are, if a value is NaN.
std::vector<Meant> matched_by_order(std::span<const oracle::OutputJudgement* const> elements);
// The references, or all of them negated, whichever is nearer as a whole.
std::vector<Meant> matched_by_sign(std::span<const oracle::OutputJudgement* const> elements);

} // namespace faultline::judge
