// A run on other machines: divides functions into job files, has an engine start tasks for them, merges their results
// while they run, and deals the functions of lost tasks again, from where these ended.
//
// A task has ended when its file says so. It is lost when its engine no longer has it, or, if the engine does not know,
// when its file has not grown for long. If a task continues after it was given up, two tasks carry out the same rounds,
// and the later results change nothing.
#pragma once

#include "base/error.h"
#include "campaign/campaign_run.h"
#include "campaign/remote/launcher.h"
#include "campaign/remote/merging.h"
#include "campaign/remote/share_folder.h"
#include "campaign/remote/share_job.h"
#include "campaign/rounds.h"

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

class ShareRun {
public:
  // `folder`: the one with programs/ and shares/ that is visible to tasks.
  ShareRun(const RoundsOf& of, CampaignTargets& targets, const std::string& folder, const RemoteOptions& elsewhere,
           const RunClock& clock, Merging::OnMerged on_merged);

  // Runs until all functions have reached their limit, the time is over, or it is stopped. All results until then are
  // in the store. Calls `tell` with the state of the tasks about every second. Returns an error if it cannot continue
  // because tasks end without having done anything. Throws base::UserError if tasks cannot be started at all.
  std::optional<base::UserError> run(const std::atomic<bool>& stop,
                                     const std::function<void(const std::string&)>& tell);

private:
  struct OpenJob {
    std::vector<size_t> functions;
    TaskState state = TaskState::waiting;
    uint64_t merged = 0;             // rounds
    std::optional<RunEnding> ending; // from its results file; none: not ended
    std::string failed;              // why it failed
    std::optional<double> grew;      // when its file last grew, on the run's clock; none: not started
  };

  std::vector<size_t> free_functions() const;
  bool wants_more() const;
  void deal();
  void look();
  void collect();
  void close_ended();
  bool is_over(const OpenJob& job) const;
  void close(uint64_t number, const OpenJob& job);
  void wind_up();
  std::string states_text() const;

  RoundsOf of_;
  CampaignTargets& targets_;
  ShareFolder folder_;
  std::string program_; // SHA-256
  const RemoteOptions& elsewhere_;
  const RunClock& clock_;
  Merging merging_;
  std::map<uint64_t, OpenJob> open_; // by number
  std::vector<bool> out_;            // by function: true if a task has it
  uint64_t next_ = 0;                // number
  std::optional<double> free_since_; // when a task gave back functions
  uint64_t last_deal_ = 0;           // job files
  uint64_t barren_ = 0;              // consecutive jobs that ended without having done anything
  std::optional<base::UserError> trouble_;
};

// Divides functions among at most `parts` tasks, with none empty. Neighbours, which cost about the same, go to
// different tasks.
std::vector<std::vector<size_t>> dealt(const std::vector<size_t>& functions, uint64_t parts);

struct TaskLimits {
  std::optional<uint64_t> evaluations;
  double seconds = 0;
};
struct JobHead {
  uint64_t number = 0;
  std::string program; // SHA-256
  TaskLimits limits;
};
// Returns the job for these functions with everything that the store knows of them.
ShareJob share_job(const RoundsOf& of, const CampaignTargets& targets, const std::vector<size_t>& functions,
                   const JobHead& head);

// Writes the job file atomically. Throws base::UserError.
void write_job(const ShareFolder& folder, const ShareJob& job);

} // namespace faultline::campaign
