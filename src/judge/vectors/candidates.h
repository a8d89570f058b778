// The worker's part of test vectors: inputs that they can be chosen from, with the outcomes of branches that each
// shows.
//
// Everything is ended by counts, so that the same seed gives the same candidates; the clock is the brake, and is told.
#pragma once

#include "exec/session.h"
#include "finding/settings/settings.h"
#include "judge/tasks/tell.h"

namespace faultline::judge {

// The session records integer conditions, as that of cover does.
void tell_candidates(exec::Session& session, const finding::Settings& settings, const finding::CandidatesTask& task,
                     const Tell& tell);

} // namespace faultline::judge
