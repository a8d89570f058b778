// What a run and its tasks on other machines have in common: a folder that all of them see, DIR/shares/RUN.
//
//   job-N.json           functions for one task: written by the run, read by tasks
//   job-N.TASK.results   what one task has found: appended to by that task alone
//   job-N.claim          a job that somebody has taken: the same file as its results, by another name
//   job-N.out            what a task printed, where the engine says so
//   stop                 tasks end when they see it
//
// Nobody locks anything: each file has one writer. A job is taken by link(2), which is atomic on network file systems,
// too; whether it was, the number of links tells even if the answer was lost on the way.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

// The names of a results file's parts.
struct ResultsName {
  uint64_t job = 0;
  std::string task; // HOST-PROCESS-NUMBER

  std::string text() const; // job-N.TASK.results
};
std::optional<ResultsName> results_name(const std::string& file); // without its folder
bool is_task_name(const std::string& text);                       // letters, digits, - and _

// A name that no other task has, on this machine or another.
std::string own_task_name();

class ShareFolder {
public:
  explicit ShareFolder(std::string path) : path_(std::move(path)) {}
  const std::string& path() const { return path_; }

  std::string job_file(uint64_t job) const;
  std::string output_file(uint64_t job) const;
  std::string results_file(const ResultsName& name) const;
  std::vector<uint64_t> jobs() const;       // by number
  std::vector<ResultsName> results() const; // by job, then by name

  bool is_claimed(uint64_t job) const;
  // For the task of this name, whose results file is there. False: another one has it.
  bool claim(const ResultsName& name) const;

  void stop() const;
  bool is_stopped() const; // or gone

private:
  std::string claim_file(uint64_t job) const;
  std::string path_;
};

// DIR/shares/RUN of all runs that have left one, by run.
struct ShareOfRun {
  int64_t run = 0;
  ShareFolder folder;
};
std::vector<ShareOfRun> shares_of(const std::string& campaign);
std::string share_of(const std::string& campaign, int64_t run); // its path

// Makes a folder apart from the campaign's own, and leaves the campaign's name in it. Throws frontend::UserError:
// another campaign has it, whose jobs would be taken for ours.
void take_shared_folder(const std::string& folder, const std::string& campaign);

// The file that a job N is in, by its path; none: that is no name of a job file.
std::optional<uint64_t> job_number(const std::string& path);

} // namespace faultline::campaign
