// In which order brackets are closed, when there are more than there is time for: one of every spot, then the next of
// every spot, and so on; crossings before decisions before jumps. Within a spot, brackets that are
// narrow on the real line take turns with any: a wide one of a function that oscillates has thousands of zeros, which
// are all alike, a narrow one has one of its own.
#pragma once

#include "search/bracket/bracket_closer.h"
#include "search/bracket/danger.h"

namespace faultline::search {

// At most `of_spot` of a spot with crossings, and fewer of the others.
std::vector<Bracket> in_turns(const std::vector<Bracket>& brackets, const DangerReader& reader, size_t of_spot,
                              numeric::Rng& rng);

} // namespace faultline::search
