// A campaign's folder and its store: facts that hold for all of it, and its runs.
//
//   DIR/campaign.db         the store
//   DIR/faultline.toml      settings, if the project has none of its own
//   DIR/programs/HASH.bc    the program, for jobs that run elsewhere
//   DIR/run.lock            held by the run that is under way
#pragma once

#include "campaign/store/database.h"
#include "finding/report.h"

#include <memory>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace faultline::campaign {

std::string store_of(const std::string& folder); // DIR/campaign.db

// What a campaign is about.
struct Subject {
  std::vector<std::string> command; // of the hunt that it stands for: hunt SOURCE... OPTIONS
  std::string folder;               // where that is typed: absolute, or relative to the campaign's folder
  uint64_t seed = 1;
  std::optional<finding::ReadConfiguration> configuration; // that the last run has read
};

// Makes the folder, if need be. Throws UserError: there is a campaign already.
void make_campaign(const std::string& folder, const Subject& subject);

// Throws UserError: there is none, or it is not whole.
std::unique_ptr<Database> open_campaign(const std::string& folder, Database::Opening opening);
Subject subject_of(Database& database);

// How a run ended, or a task of one.
enum class RunEnding : uint8_t {
  evaluations, // all functions have had theirs
  time,        // is up
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
  std::optional<finding::ReadConfiguration> configuration;
  double seconds = 0; // that it took until now: the code is read before
};

// Jobs of a run that was killed are open again.
int64_t begin_run(Database& database, const RunBegin& run);
void end_run(Database& database, int64_t run, RunEnding ending);
std::vector<RunRow> runs_of(Database& database);

int64_t seconds_now(); // since 1970

// One run at a time: a lock on a file in the campaign's folder.
//
// It is the kernel's (fcntl), so that no lock outlives its process, whatever ended it. It belongs to the process and is
// not inherited: workers that outlive their supervisor for a moment do not hold it. And the kernel tells who has it,
// which is how `faultline campaign stop` finds the process.
class RunLock {
public:
  // Throws UserError: another process has it.
  explicit RunLock(const std::string& folder);
  ~RunLock();
  RunLock(const RunLock&) = delete;
  RunLock& operator=(const RunLock&) = delete;

private:
  int descriptor_;
};

// The process that has it; none if nobody has. 0: one that cannot be seen from here, of another machine or container.
std::optional<pid_t> holder_of_lock(const std::string& folder);

} // namespace faultline::campaign
