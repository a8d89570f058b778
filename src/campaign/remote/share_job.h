// A job file: some functions of a campaign with all that their further rounds depend on, for a task on another machine.
//
// A function's rounds depend on its own history alone (schedule/arms.h). So it goes to one task as a whole, with its
// history, and that task chooses and carries out its rounds as the campaign itself would have done.
#pragma once

#include "campaign/store/campaign_file.h"
#include "campaign/store/finding_table.h"
#include "finding/finding.h"
#include "finding/job.h"
#include "finding/json/fields.h"
#include "finding/report.h"
#include "hunt/extents.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace faultline::campaign {

struct SharedFunction {
  TargetRow row; // without the numbers of rows in the campaign's store
  finding::Settings settings;
  Measured measured;
  std::vector<PastRound> past;
  std::vector<finding::Finding> findings;   // that are known
  std::vector<finding::Retry> first_inputs; // tried in the first look
};

struct ShareJob {
  int64_t run = 0;
  uint64_t job = 0;
  std::string program;            // SHA-256 of DIR/programs/HASH.bc
  std::string folder;             // from which the campaign shows paths
  std::vector<std::string> flags; // for the compiler, if a reference has to be compiled
  uint64_t seed = 1;
  std::optional<uint64_t> evaluations; // of each function, in all
  double seconds = 0;                  // of the task
  std::vector<SharedFunction> functions;
};

std::string share_job_text(const ShareJob& job);
// Throws UserError that names the place. `name` is that of the file.
ShareJob parse_share_job(std::string_view text, const std::string& name);

// A line of a results file: what a task on another machine tells. One object a line; the first key tells lines apart.
//
// Reading checks every field: a line may be torn, or anybody's.

// { "results": 1, ... }: the first line: whose results they are.
struct ResultsHead {
  int64_t run = 0;
  uint64_t job = 0;
  std::string task;
};

// { "round": ..., ... }: a round that has come to its end, with all that the store needs of it.
struct RoundLine {
  std::string function, symbol;
  Version version;
  int64_t round = 0;
  std::string arm;
  uint64_t seed = 0, evaluations = 0;
  std::string known; // of a round that tried known inputs: which ones (hash_of_known)
  uint64_t reached = 0;
  std::vector<finding::Finding> again; // that were known, and met again
  finding::TargetReport found;
};

// { "alive": seconds }: nothing else happened for a while.
struct AliveLine {
  double seconds = 0;
};

// { "failed": why }: the job cannot be done there.
struct FailedLine {
  std::string why;
};

// { "end": ... }: the last line of a task that came to its end. A task is never lost.
struct EndLine {
  RunEnding ending = RunEnding::evaluations;
};

using ShareLine = std::variant<ResultsHead, RoundLine, AliveLine, FailedLine, EndLine>;

std::string line_text(const ShareLine& line); // without its end
// Throws UserError that names the place.
ShareLine parse_line(std::string_view text, const std::string& name);

} // namespace faultline::campaign

// Versions of functions are in job files, too.
template <>
void faultline::finding::Fields::list(faultline::campaign::Version& version);
