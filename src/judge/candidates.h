// The worker's part of test vectors: inputs to choose from, with the outcomes of branches that each shows.
//
// All limits are counts, so that the same seed gives the same candidates. The clock is an emergency limit, which is
// reported.
#pragma once

#include "exec/session.h"
#include "finding/settings/settings.h"
#include "judge/tasks/tell.h"
#include "search/space.h"

#include <vector>

namespace faultline::judge {

// The session records integer conditions, like that of cover.
void tell_candidates(exec::Session& session, const finding::Settings& settings, const finding::CandidatesTask& task,
                     const Tell& tell);

// Inputs that programs treat specially, or fail to: zeros of both signs, ones, the ends of the format and of the
// ranges. Each value for all inputs at once, if all ranges contain it, and for each input with the rest at 1.
std::vector<exec::Input> special_inputs(const search::Space& space);

} // namespace faultline::judge
