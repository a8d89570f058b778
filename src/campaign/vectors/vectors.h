// Test vectors for the functions of a report: their problems, and inputs that workers find beside them.
//
// One worker explores the branches of the code as it is written, as cover does, and tells candidates; the choice is
// made here (finding/vectors/choice.h), and another worker measures what was chosen.
#pragma once

#include "campaign/options.h"
#include "finding/report.h"
#include "finding/vectors/vector.h"

#include <atomic>
#include <vector>

namespace faultline::campaign {

inline constexpr size_t usual_vectors = 50; // of a function

// One set for each function that was hunted in; one that there are no vectors of says why. The options are those of the
// hunt. Throws frontend::UserError if the code cannot be loaded.
std::vector<finding::VectorSet> test_vectors(const finding::Report& report, const Options& options, size_t most,
                                             const std::atomic<bool>& stop);

} // namespace faultline::campaign
