#include "campaign/job_worker.h"

#include "campaign/workers.h"
#include "frontend/error.h"
#include "judge/tasks/work.h"

namespace faultline::campaign {

bool run_job(const finding::Job& job, const exec::WorkerLimits& limits,
             const std::function<void(const finding::Message&)>& on_message, const std::atomic<bool>& stop) {
  judge::Loaded loaded = judge::load(job);
  bool completed = false, failed = false;
  const Assignment assignment{.job = job,
                              .target = &loaded.target,
                              .reference = loaded.reference ? &*loaded.reference : nullptr,
                              .on_message =
                                  [&](const finding::Message& message) {
                                    if (const auto* end = std::get_if<finding::JobEnd>(&message))
                                      completed = end->completed;
                                    failed |= std::holds_alternative<finding::Failure>(message);
                                    on_message(message);
                                  },
                              .on_unreadable =
                                  [&](const std::string& why) {
                                    failed = true;
                                    on_message(finding::Failure{frontend::status_internal, why, ""});
                                  }};
  run({assignment}, *loaded.program, 1, limits, stop, [] {});
  return completed && !failed;
}

} // namespace faultline::campaign
