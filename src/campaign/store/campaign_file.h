// A campaign's folder and its store: the facts about the whole campaign, and its runs.
//
//   DIR/campaign.db         the store
//   DIR/faultline.toml      settings, if the project has none of its own
//   DIR/programs/HASH.bc    the program, for jobs on other machines
//   DIR/run.lock            held by the run in progress
#pragma once

#include "campaign/store/database.h"
#include "model/report.h"

#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace faultline::campaign {

std::string store_of(const std::string& folder); // DIR/campaign.db

// The hunt that a campaign carries out.
struct Subject {
  std::vector<std::string> command; // of the hunt: hunt SOURCE... OPTIONS
  std::string folder;               // where the command was typed: absolute, or relative to the campaign's folder
  uint64_t seed = 1;
  std::optional<model::ReadConfiguration> configuration; // of the last run
};

// Creates a campaign, and its folder if needed. Throws UserError if there is a campaign already.
class NewCampaign {
public:
  NewCampaign(const std::string& folder, const Subject& subject);
  ~NewCampaign(); // removes what was made, unless it is kept: an unfinished campaign is of no use
  NewCampaign(const NewCampaign&) = delete;
  NewCampaign& operator=(const NewCampaign&) = delete;
  void keep() { kept_ = true; }

private:
  void make(const Subject& subject);
  void remove() noexcept;

  std::string folder_;
  std::vector<std::string> made_folders_; // the innermost first
  bool kept_ = false;
};

// Throws UserError if there is no campaign, or if it is incomplete.
std::unique_ptr<Database> open_campaign(const std::string& folder, Database::Opening opening);
Subject subject_of(Database& database);

// How a run ended, or a task of one.
enum class RunEnding : uint8_t {
  evaluations, // all functions have reached their limit
  time,        // the time is up
  stopped,     // by the user
  lost,        // its tasks end without having done anything
};
std::string_view text(RunEnding ending);
std::optional<RunEnding> run_ending_of(std::string_view text);

struct RunRow {
  int64_t id = 0;
  int64_t started = 0;
  std::optional<int64_t> ended;
  std::string ending, commit, program;
};
struct RunBegin {
  std::string commit, program;
  std::optional<model::ReadConfiguration> configuration;
  double seconds = 0; // elapsed so far: the code is read before
};

// Begins a run. Jobs of a killed run are open again.
int64_t begin_run(Database& database, const RunBegin& run);
void end_run(Database& database, int64_t run, RunEnding ending);
std::vector<RunRow> runs_of(Database& database);

int64_t seconds_now(); // since 1970

// Allows one run at a time, by a lock on a file in the campaign's folder.
//
// It is a lock of the kernel (fcntl), so it never outlives its process. Workers do not inherit it: one that outlives
// its supervisor for a moment does not hold it. The kernel knows the holder, so `faultline campaign stop` finds the
// process.
class RunLock {
public:
  // Throws UserError if another process has it.
  explicit RunLock(const std::string& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

private:
  int descriptor_;
};

// Returns the process that holds the lock; none if it is free; 0 if the process is not visible from here, on another
// machine or in another container.
std::optional<pid_t> holder_of_lock(const std::string& folder);

} // namespace faultline::campaign
