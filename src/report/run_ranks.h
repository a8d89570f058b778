// The reports of the ranks of one MPI run (faultline run -o under mpirun or srun) as one: problems are united, counts
// are added, and ranks are named. It works on what run_json wrote (report/run_text.h).
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace faultline::report {

// A file's name and its content.
using RankFile = std::pair<std::string, std::string>;

// True if a file that begins with this text is a report of `faultline run`: its second member is "run".
bool is_run_json(const std::string& beginning);

// Throws UserError for a file that is no report of a run.
std::string merged_run_json(const std::vector<RankFile>& ranks);
// A merged report, or that of one run, as text.
std::string run_json_text(const std::string& json);

} // namespace faultline::report
