// Which candidates become test vectors: chosen for what they show, not for the size of the error alone.
//
// Problems come first, then the fewest inputs that show every outcome of a branch that any candidate shows, then
// borders, special values and ordinary inputs in turns. Of two candidates that show the same (the same outcomes, an
// error of about the same size, the same binades) one is taken; others only if the number asked for is not reached
// otherwise.
#pragma once

#include "finding/job.h"
#include "finding/vectors/vector.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace faultline::finding {

using Decision = std::pair<uint32_t, int64_t>; // a site, and the way that it goes

struct VectorCandidate {
  Region region = Region::ordinary;
  Input input;
  std::vector<Decision> decisions; // sorted
  size_t error = 0;                // error_bucket, or 0 before it is known
};

// Indices of the candidates, at most `most` of them; problems, then branches, and so on.
std::vector<size_t> chosen_vectors(const std::vector<VectorCandidate>& candidates, size_t most);

// How many outcomes these show.
size_t outcomes_shown(const std::vector<VectorCandidate>& candidates, const std::vector<size_t>& chosen);

} // namespace faultline::finding
