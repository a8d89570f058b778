// A line of a results file: what a task on another machine tells. One object a line; the first key tells lines apart.
//
// Reading checks every field: a line may be torn, or anybody's.
#pragma once

#include "campaign/store/campaign_file.h"
#include "campaign/store/target_table.h"
#include "finding/finding.h"
#include "finding/json/fields.h"
#include "finding/report.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace faultline::campaign {

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
