// The program of a job file, loaded from the campaign's folder, with the functions that the job names.
#pragma once

#include "campaign/remote/share_folder.h"
#include "campaign/remote/share_job.h"
#include "hunt/targets/hunt_targets.h"

namespace faultline::campaign {

// Targets in the order of the job's functions. Throws frontend::UserError: the program is gone or has other content, or
// does not have a function.
HuntTargets shared_targets(const ShareJob& job, const ShareFolder& folder);

} // namespace faultline::campaign
