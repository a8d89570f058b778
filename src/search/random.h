// What other strategies borrow from the random search.
#pragma once

#include "search/strategy.h"

namespace faultline::search {

// At most this share of the budget.
std::vector<Candidate> sample_at_random(Quest& quest, uint64_t samples, double share, const char* strategy);

} // namespace faultline::search
