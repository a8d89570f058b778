// A job that was written down, run here: by the same code as a job of a hunt, in a sandboxed fork of this process.
#pragma once

#include "exec/limits.h"
#include "finding/job.h"
#include "finding/message.h"

#include <atomic>
#include <functional>

namespace faultline::campaign {

// Did it come to its end? Its messages, deaths of workers and the end among them, are told as they come. Throws
// frontend::UserError if the job's program is gone, has changed, or has no such function.
bool run_job(const finding::Job& job, const exec::WorkerLimits& limits,
             const std::function<void(const finding::Message&)>& on_message, const std::atomic<bool>& stop);

} // namespace faultline::campaign
