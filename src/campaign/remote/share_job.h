// A job file: some functions of a campaign, with everything that their further rounds depend on, for a task on another
// machine.
//
// A function's rounds depend on its own history alone (campaign/arms.h). So one task gets the function with its
// history, and chooses and carries out its rounds as the campaign itself would.
#pragma once

#include "campaign/store/campaign_file.h"
#include "campaign/store/finding_table.h"
#include "hunt/targets.h"
#include "model/finding.h"
#include "model/job.h"
#include "model/json/fields.h"
#include "model/report.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace faultline::campaign {

struct SharedFunction {
  TargetRow row; // without row numbers of the campaign's store
  model::Settings settings;
  hunt::MeasuredExtents measured;
  std::vector<PastRound> past;
  std::vector<model::Finding> findings;   // known ones
  std::vector<model::Retry> first_inputs; // tried in the first look
};

struct ShareJob {
  int64_t run = 0;
  uint64_t job = 0;
  std::string program;            // SHA-256 of DIR/programs/HASH.bc
  std::string folder;             // to which the campaign's paths are relative
  std::vector<std::string> flags; // for the compiler, if a reference must be compiled
  uint64_t seed = 1;
  std::optional<uint64_t> evaluations; // of each function, in all
  double seconds = 0;                  // of the task
  std::vector<SharedFunction> functions;
};

std::string share_job_text(const ShareJob& job);
// `name`: of the file. Throws UserError that names the place.
ShareJob parse_share_job(std::string_view text, const std::string& name);

// A results file has one JSON object per line. The first key distinguishes the kinds of lines. Reading checks every
// field, because a line may be incomplete or forged.

// { "results": 1, ... }: the first line, with the task that writes the file.
struct ResultsHead {
  int64_t run = 0;
  uint64_t job = 0;
  std::string task;
};

// { "round": ..., ... }: a finished round, with everything that the store needs of it.
struct RoundLine {
  std::string function, symbol;
  Version version;
  int64_t round = 0;
  std::string arm;
  uint64_t seed = 0, evaluations = 0;
  std::string known; // for a round that tried known inputs: their hash_of_known()
  uint64_t reached = 0;
  std::vector<model::Finding> again; // known findings that occurred again
  model::TargetReport found;
};

// { "alive": seconds }: a sign of life after a while without other lines.
struct AliveLine {
  double seconds = 0;
};

// { "failed": why }: the job cannot be done there.
struct FailedLine {
  std::string why;
};

// { "end": ... }: the last line of a task that ended normally. Its ending is never `lost`.
struct EndLine {
  RunEnding ending = RunEnding::evaluations;
};

using ShareLine = std::variant<ResultsHead, RoundLine, AliveLine, FailedLine, EndLine>;

std::string line_text(const ShareLine& line); // without the newline
// Throws UserError that names the place.
ShareLine parse_line(std::string_view text, const std::string& name);

} // namespace faultline::campaign

// Versions of functions are in job files, too.
template <> void faultline::model::Fields::list(faultline::campaign::Version& version);
