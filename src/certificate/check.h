// Verifies a certificate: that its bounds follow from its code, over all of its ranges. There is no search in it, and
// nothing of what made the certificate; what it believes is this folder, the formulas of ops, which a test compares
// with MPFR (ops/formulas.h), Arb, and the errors that libm's functions are known to have (ops/enclosures.h).
#pragma once

#include "finding/certificate/certificate.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace faultline::certificate {

struct Refusal {
  std::string reason;
  std::optional<uint64_t> box = {}; // its number, from 0
  finding::BoxEnds ends = {};       // its ends, to the nearest doubles
};

struct Checked {
  std::optional<Refusal> refusal; // of the first box that fails
  uint64_t boxes = 0, open = 0;
  long precision = 0; // the largest that was needed, in bits
};

// On so many threads; the answer does not depend on it.
Checked check(const finding::Certificate& certificate, int threads);

// For each path an input that takes it, if the certificate is right: a corner of its first box. Paths that no box has
// have an empty one.
std::vector<std::vector<long double>> inputs_of_paths(const finding::Certificate& certificate);

} // namespace faultline::certificate
