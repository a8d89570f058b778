// The folder that a run shares with its tasks on other machines: DIR/shares/RUN.
//
//   job-N.json           functions for one task: written by the run, read by tasks
//   job-N.TASK.results   what one task has found: appended to by that task alone
//   job-N.claim          a job that a task has taken: a hard link to its results
//   job-N.out            what a task printed, if the engine redirects it
//   stop                 tasks end when they see it
//
// There are no locks: each file has one writer. A task takes a job by link(2), which is atomic on network file systems,
// too. If the server's answer is lost, the number of links shows whether it succeeded.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

// The parts of a results file's name.
struct ResultsName {
  uint64_t job = 0;
  std::string task; // HOST-PROCESS-NUMBER

  std::string text() const; // job-N.TASK.results
};
std::optional<ResultsName> results_name(const std::string& file); // without its folder
bool is_task_name(const std::string& text);                       // letters, digits, - and _

// Returns a name that no other task has, on this machine or another.
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
  // Takes the job for the task of this name, whose results file exists. False if another task has it.
  bool claim(const ResultsName& name) const;

  void stop() const;
  bool is_stopped() const;
  bool has_stop_file() const; // or gone

private:
  std::string claim_file(uint64_t job) const;
  std::string path_;
};

// The DIR/shares/RUN that runs have left, by run.
struct ShareOfRun {
  int64_t run = 0;
  ShareFolder folder;
};
std::vector<ShareOfRun> shares_of(const std::string& campaign);
std::string share_of(const std::string& campaign, int64_t run); // its path

// Makes a folder outside the campaign's own and writes the campaign's name into it. Throws base::UserError if it
// belongs to another campaign, whose jobs would be taken for ours.
void take_shared_folder(const std::string& folder, const std::string& campaign);

// Returns the number N of a job file; none if the path does not name one.
std::optional<uint64_t> job_number(const std::string& path);

} // namespace faultline::campaign
