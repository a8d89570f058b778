// A few runs before a search: readers that prepare tables for all sites need to know which of them round on purpose.
#pragma once

#include "exec/session.h"
#include "search/space.h"

namespace faultline::search {

// Everyday inputs and any. Ends at the first run that does not return.
void look_for_intended_roundings(exec::Session& session, const Space& space, const Space& everyday, numeric::Rng rng);

} // namespace faultline::search
