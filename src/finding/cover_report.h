// Coverage of one target: an input for each branch outcome, or why there is none (faultline cover). Plain data.
#pragma once

#include "finding/report.h"
#include "frontend/target.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::finding {

using frontend::Standing;
using frontend::standing_of;
using frontend::text;

// One way that one decision of the code can go.
struct CoveredBranch {
  std::string file;
  std::string function;
  int line = 0, column = 0;
  std::string operation; // of the table: cmp_olt, decide
  std::string condition; // "<"
  std::string outcome;   // "true", "false"; of a switch "case 2"
  Standing standing = Standing::open;
  std::string solver;          // of infeasible: who proved it
  std::string why;             // of open and infeasible: what is left, what it holds for
  std::optional<size_t> shown; // by this test
};

// An input, and what the code did with it when it was run again.
struct CoverTest {
  std::vector<NamedNumber> input;
  std::vector<long double> values;
  std::string ending; // "returned", "called abort"
  bool returned = true;
  bool missing = false; // it needed what is not here: no test
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

  size_t count(Standing standing) const;
};

} // namespace faultline::finding
