// What other strategies borrow from the random search.
#pragma once

#include "search/strategy.h"

namespace faultline::search {

// The largest first-order estimate of an output's relative error on this tape.
double estimated_relative_error(const tape::Tape& tape, const std::vector<size_t>& outputs);

// `share`: of the budget, at most.
std::vector<Candidate> sample_at_random(Quest& quest, uint64_t samples, double share, const char* strategy);

} // namespace faultline::search
