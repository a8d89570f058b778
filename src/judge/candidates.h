// The worker's part of test vectors: inputs that they can be chosen from, with the outcomes of branches that each
// shows.
//
// Everything is ended by counts, so that the same seed gives the same candidates; the clock is the brake, and is told.
#pragma once

#include "exec/session.h"
#include "finding/settings/settings.h"
#include "judge/tasks/tell.h"
#include "search/space.h"

#include <vector>

namespace faultline::judge {

// The session records integer conditions, as that of cover does.
void tell_candidates(exec::Session& session, const finding::Settings& settings, const finding::CandidatesTask& task,
                     const Tell& tell);

// Inputs that programs treat in a way of their own, or forget to: zeros of both signs, ones, the ends of the format and
// of the ranges. All inputs at once, where all ranges have the value, and one after the other with the rest at 1.
std::vector<exec::Input> special_inputs(const search::Space& space);

} // namespace faultline::judge
