// Coverage of one target: an input for each branch outcome, or why there is none (faultline cover).
//
// A worker explores the paths; then a fresh worker runs every input again and sees that it does what is claimed of it.
#pragma once

#include "campaign/finding.h"
#include "campaign/options.h"
#include "search/paths.h"

#include <atomic>
#include <functional>

namespace faultline::campaign {

struct CoverOptions {
  search::PathsLimits limits;
};

// One way that one decision of the code can go.
struct CoveredBranch {
  std::string file;
  std::string function;
  int line = 0, column = 0;
  std::string operation; // of the table: cmp_olt, decide
  std::string condition; // "<"
  std::string outcome;   // "true", "false"; of a switch "case 2"
  search::Standing standing = search::Standing::open;
  std::string solver, why;     // see search::BranchOutcome
  std::optional<size_t> shown; // by this test
};

// An input, and what the code did with it when it was run again.
struct CoverTest {
  std::vector<NamedNumber> input;
  exec::Input values;
  std::string ending; // "returned", "called abort"
  bool returned = true;
  std::vector<NamedNumber> outputs;
};

struct CoverReport {
  std::string version;
  std::vector<std::string> command;
  uint64_t seed = 1;
  frontend::Target target;
  std::vector<InputRange> inputs;
  std::vector<CoveredBranch> branches;
  std::vector<CoverTest> tests;
  uint64_t paths = 0;    // that were run
  bool complete = false; // there are no others
  int loop_bound = 0;
  uint64_t bounded = 0, questions = 0, unanswered = 0;
  uint64_t evaluations = 0;
  double seconds = 0;
  uint64_t not_replayed = 0; // claims that a fresh process did not confirm; they count as open
  bool interrupted = false;
  std::string note;

  size_t count(search::Standing standing) const;
};

// Throws frontend::UserError.
CoverReport cover(const Options& options, const CoverOptions& how,
                  const std::function<void(uint64_t runs)>& on_progress, const std::atomic<bool>& stop);

} // namespace faultline::campaign
