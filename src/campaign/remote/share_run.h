// A run on other machines: functions are divided into job files, an engine starts tasks for them, what they find is
// merged while they run, and the functions of tasks that are lost are handed out again, from where they got.
//
// A task is believed when it says that it has come to its end; it is lost when its engine does not have it any more,
// or, where no engine can tell, when its file has not grown for long. Should a task that was given up go on all the
// same, two tasks carry out the same rounds, and those that come second change nothing.
#pragma once

#include "campaign/campaign_run.h"
#include "campaign/remote/launcher.h"
#include "campaign/remote/merging.h"
#include "campaign/remote/share_folder.h"
#include "campaign/remote/share_job.h"
#include "campaign/rounds.h"
#include "frontend/error.h"

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

class ShareRun {
public:
  // `folder`: the one with programs/ and shares/ that tasks see.
  ShareRun(const RoundsOf& of, CampaignTargets& targets, const std::string& folder, const RemoteOptions& elsewhere,
           const RunClock& clock, Merging::OnMerged on_merged);

  // Until all functions have had what they may, the time is over, or it is stopped; all that was found until then is
  // in the store. `tell`: how the tasks stand, every second or so. Returns why it could not go on: tasks end without
  // having done anything. Throws frontend::UserError: they cannot be started at all.
  std::optional<frontend::UserError> run(const std::atomic<bool>& stop,
                                         const std::function<void(const std::string&)>& tell);

private:
  struct OpenJob {
    std::vector<size_t> functions;
    TaskState state = TaskState::waiting;
    uint64_t merged = 0;             // rounds
    std::optional<RunEnding> ending; // as its task told; none: it has not
    std::string failed;              // why it could not be done
    std::optional<double> grew;      // when, on the run's clock; none: nobody has begun it
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
  std::vector<bool> out_;            // by function: a task has it
  uint64_t next_ = 0;                // number
  std::optional<double> free_since_; // functions that a task gave back
  uint64_t last_deal_ = 0;           // job files
  uint64_t barren_ = 0;              // jobs one after the other that ended without having done anything
  std::optional<frontend::UserError> trouble_;
};

// Functions are divided among tasks, and written into job files.

// Into so many parts at most, none of them empty. Neighbours, which are alike in what they cost, go to different ones.
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
// With all that the store knows of these functions.
ShareJob share_job(const RoundsOf& of, const CampaignTargets& targets, const std::vector<size_t>& functions,
                   const JobHead& head);

// As a whole, or not at all. Throws frontend::UserError.
void write_job(const ShareFolder& folder, const ShareJob& job);

} // namespace faultline::campaign
