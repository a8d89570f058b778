// A job: what a worker is to do, as a value.
#pragma once

#include "finding/comparison.h"
#include "finding/finding.h"
#include "finding/report.h"
#include "finding/settings/settings.h"
#include "frontend/target.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace faultline::finding {

// One value for each input cell of the target.
using Input = std::vector<long double>;

using frontend::CallLimits;

// An input to be tried before the search, and again.
struct Retry {
  Input input;
  std::string strategy; // that found it
  std::string found_by; // its means
};

// Hunt in the function.
struct HuntTask {
  std::vector<Retry> retries; // tried first
  // At most so many operations of the code in a search that is told a number of evaluations: the clock then need not
  // end those in slow functions. None: as many as the evaluations take.
  std::optional<uint64_t> operations = {};
  std::vector<KnownCause> known = {}; // not diagnosed again
  // What is wrong and where, at everyday inputs if it shows there: the simplest input, when it shows and remedies are
  // left to another hunt.
  bool briefly = false;
};

// Tell all about one input.
struct ExplainTask {
  Input input;
  uint64_t most_rows = 200;
};

// An input, and what was found there.
struct FoundAt {
  Input input;
  Finding finding;
};

// Look whether findings are still there.
struct ReplayTask {
  std::vector<FoundAt> findings;
  bool strict = false; // and whether all that they say is so (judge/self_check.h)
};

// Sample the error around findings.
struct PlotTask {
  std::vector<FoundAt> findings;
  std::vector<InputRange> ranges;       // where the hunt looked
  double seconds = 10;                  // for all of them
  double finding_seconds = 2;           // for one
  uint64_t points = 0, most_inputs = 0; // of one finding
};

// What may a test of the fixed code demand at these inputs?
struct ExamineTask {
  std::vector<FoundAt> findings;
};

// Find an input for each branch outcome, or prove that there is none.
struct ExploreTask {
  int loop_bound = 8;
  bool every_path = false;
};

// Run these inputs, and tell which decisions they take.
struct DecisionsTask {
  std::vector<Input> inputs;
};

// Bound the error over the ranges, from both sides.
struct BoundTask {
  double seconds = 10;
  double ratio = 1.1;          // of proven to found: that is near enough
  bool rounded_inputs = false; // the exact inputs are the reals that round to the floats
  std::vector<std::pair<std::string, double>> input_errors = {}; // of single inputs, absolute
  bool certificate = false;                                      // tell the proof, too
  // A point that the largest safe box is wanted around; inputs that are not named are held or free in all of their
  // range.
  std::vector<std::pair<std::string, double>> around = {};
  bool curve = false; // errors for a plot, of functions of one input
};

// With a fixed number of boxes, prove that no error over the ranges counts; or, where a hunt has found some, draw the
// map.
struct ProveTask {
  std::vector<Input> found; // inputs whose errors count
};

// Run these inputs, and tell the code of the paths that they take.
struct PathsTask {
  std::vector<Input> inputs;
};

// Find out how long the arrays are of which nobody says so; or, with inputs at which runs went beyond their arrays,
// whether larger ones would help.
struct ProbeTask {
  std::vector<Input> overruns;
};

// Find inputs that test vectors can be chosen from: these first, then those that show outcomes of branches, borders
// between decisions, special values, and samples.
struct CandidatesTask {
  std::vector<Input> inputs;
  uint64_t vectors = 50; // that are to be chosen
};

// What do these inputs give, and what would be right?
struct MeasureTask {
  std::vector<Input> inputs;
};

// Run these inputs as the code is, and tell what they give.
struct RunTask {
  std::vector<Input> inputs;
};

using Task = std::variant<HuntTask, ExplainTask, ReplayTask, PlotTask, ExamineTask, ExploreTask, DecisionsTask,
                          BoundTask, ProveTask, PathsTask, ProbeTask, CandidatesTask, MeasureTask, RunTask>;

struct Job {
  std::vector<std::string> flags; // for the compiler, if a reference has to be compiled
  std::string function;           // the target, as reports call it
  std::string symbol;             // in the program
  Settings settings;
  CallLimits limits;
  Task task;
};

} // namespace faultline::finding
