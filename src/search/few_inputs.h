// A space of few inputs (a small integer or two, the rest held) is tried in full, whatever the strategy: samples would
// repeat some of them and miss others, and there is nothing between two integers to be bracketed.
#pragma once

#include "search/strategy.h"

#include <optional>

namespace faultline::search {

// A guess: as many runs as the search of one float takes (docs/gsl.md).
inline constexpr uint64_t few_inputs = 4096;

// How many inputs there are, if they are few.
std::optional<uint64_t> number_of_inputs(const Space& space);

// The n-th of them.
exec::Input input_of_number(const Space& space, uint64_t n);

// Each input once, in random order: when the budget ends early, because all negative numbers loop forever, say,
// something of every part was seen. Some go to the oracle whatever their error.
std::vector<Candidate> try_all_inputs(Quest& quest);

} // namespace faultline::search
