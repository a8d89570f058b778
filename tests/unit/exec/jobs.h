// Jobs in worker processes, and what became of them.
#pragma once

#include "exec/worker.h"

#include <cerrno>
#include <gtest/gtest.h>
#include <sys/wait.h>

namespace faultline::exec {

struct Ended {
  std::vector<std::string> messages;
  std::vector<Death> deaths;
  std::vector<bool> ends;
  std::vector<std::string> corrupt;
};

inline Job job_for(Ended& ended, std::function<void(Channel&)> work) {
  Job job;
  job.work = std::move(work);
  job.on_message = [&](std::string_view message) {
    ended.messages.emplace_back(message);
    return true;
  };
  job.on_death = [&](const Death& death) { ended.deaths.push_back(death); };
  job.on_end = [&](const JobEnd& end) { ended.ends.push_back(end.completed); };
  job.on_corrupt = [&](const std::string& why) { ended.corrupt.push_back(why); };
  return job;
}

inline Ended run(std::function<void(Channel&)> work, const WorkerLimits& limits = {}) {
  Ended ended;
  const std::atomic<bool> stop = false;
  std::vector<Job> jobs;
  jobs.push_back(job_for(ended, std::move(work)));
  run_jobs(std::move(jobs), 1, limits, stop, [] {});
  return ended;
}

inline void expect_no_child() {
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

} // namespace faultline::exec
