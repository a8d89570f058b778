// A job: a task for a worker, as a value.
#pragma once

#include "model/comparison.h"
#include "model/finding.h"
#include "model/report.h"
#include "model/settings/settings.h"
#include "model/target.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace faultline::model {

// One value for each input cell of the target.
using Input = std::vector<numeric::Value>;

// An input to be tried before the search.
struct Retry {
  Input input;
  std::string strategy; // the strategy that found it
  std::string found_by; // how the strategy made it
};

// Searches a function.
struct HuntTask {
  std::vector<Retry> retries; // tried first
  // Limit for the operations executed by a search with a given number of evaluations, so that slow functions end
  // without a time limit. None: as many as the evaluations take.
  std::optional<uint64_t> operations = {};
  std::vector<KnownCause> known = {}; // not diagnosed again
  // Diagnoses kind and place only, at everyday inputs if possible. Simplifying inputs, conditions and remedies are left
  // to another hunt.
  bool briefly = false;
};

// Explains one input.
struct ExplainTask {
  Input input;
  uint64_t most_rows = 200;
};

// An input, and what was found at it.
struct FoundAt {
  Input input;
  Finding finding;
};

// Checks whether findings still exist.
struct ReplayTask {
  std::vector<FoundAt> findings;
  bool strict = false; // check every claim of the findings, too (judge/tasks/work.h)
};

// Samples the error around findings.
struct PlotTask {
  std::vector<FoundAt> findings;
  std::vector<InputRange> ranges;       // the ranges of the hunt
  double seconds = 10;                  // for all findings
  double finding_seconds = 2;           // for one finding
  uint64_t points = 0, most_inputs = 0; // per finding
};

// Determines what a test of the fixed code may require at these inputs.
struct ExamineTask {
  std::vector<FoundAt> findings;
};

// Finds an input for each branch outcome, or proves that there is none.
struct ExploreTask {
  int loop_bound = 8;
  bool every_path = false;
};

// Runs these inputs and records the decisions they take.
struct DecisionsTask {
  std::vector<Input> inputs;
};

// Bounds the error over the ranges from both sides.
struct BoundTask {
  double seconds = 10;
  double ratio = 1.1;          // ratio of proven to found error that is close enough
  bool rounded_inputs = false; // the exact inputs are all reals that round to the floats
  std::vector<std::pair<std::string, double>> input_errors = {}; // of single inputs, absolute
  bool certificate = false;                                      // return the proof, too
  // A point for the largest safe box around it. Inputs that are not named are held, or free in their whole range.
  std::vector<std::pair<std::string, double>> around = {};
  bool curve = false; // errors for a plot of a function of one input
};

// Tries to prove, with a fixed number of boxes, that no error over the ranges counts. If a hunt has found some that do,
// draws the map.
struct ProveTask {
  std::vector<Input> found; // inputs whose errors count
};

// Runs these inputs and returns the code of their paths.
struct PathsTask {
  std::vector<Input> inputs;
};

// Finds the lengths of arrays that are not declared. With inputs whose runs exceeded their arrays, checks whether
// larger arrays would help.
struct ProbeTask {
  std::vector<Input> overruns;
};

// Finds candidates for test vectors: the given inputs, then inputs that show outcomes of branches, borders between
// decisions, special values, and samples.
struct CandidatesTask {
  std::vector<Input> inputs;
  uint64_t vectors = 50; // number of vectors to choose
};

// Computes the results at these inputs and their references.
struct MeasureTask {
  std::vector<Input> inputs;
};

// Runs these inputs with the code as it is and returns the results.
struct RunTask {
  std::vector<Input> inputs;
};

// Compares findings with the machine code of the user's own build.
struct BuiltCodeTask {
  std::vector<FoundAt> findings;
};

// Compares a changed version of a function, the program of the job, with the original. The original in exact arithmetic
// is the reference (exec::Reference::of_code).
struct TrialTask {
  std::vector<Input> first;                                      // tried first: they show what the change is for
  std::vector<std::pair<uint64_t, numeric::Value>> borders = {}; // of the change's branches: an input and its value
  uint64_t inputs = 100'000;                                     // to try
  uint64_t measured = 1'000; // everyday inputs, and as many of the whole space, at which both errors are measured
};

using Task =
    std::variant<HuntTask, ExplainTask, ReplayTask, PlotTask, ExamineTask, ExploreTask, DecisionsTask, BoundTask,
                 ProveTask, PathsTask, ProbeTask, CandidatesTask, MeasureTask, RunTask, BuiltCodeTask, TrialTask>;

struct Job {
  std::vector<std::string> flags; // for the compiler, if a reference is compiled
  std::string function;           // the name of the target in reports
  std::string symbol;             // its name in the program
  Settings settings;
  CallLimits limits;
  Task task;
};

} // namespace faultline::model
