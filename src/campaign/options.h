// What a hunt is asked to do: the command line and faultline.toml end up here.
#pragma once

#include "exec/session.h"
#include "exec/worker.h"
#include "frontend/program.h"
#include "search/checks.h"

#include <cfloat>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

struct Range {
  long double low = 0;
  long double high = 0;
};

enum class OracleName { lifted, replay, reference, none };

struct Wanted { // --for
  bool error = true;
  bool exceptions = true;
  bool crashes = true;
  bool branches = true;
  bool bound = true;
};

// --status NAME=VALUE: an output that says whether the call succeeded, and what it says then.
struct Status {
  std::string output;
  long double success = 0;
};

class Configuration;
struct Baseline;
struct Corpus;

struct Options {
  frontend::Sources sources;
  std::vector<std::string> functions;             // -f; empty: all suitable ones
  frontend::Sizes sizes;                          // --size
  frontend::Aliases aliases;                      // --alias
  std::map<std::string, Range> ranges;            // --range, by input cell (x, A[3]) or parameter (A)
  std::map<std::string, numeric::Format> formats; // --format
  std::map<std::string, long double> held;        // --hold
  std::vector<std::string> outputs;               // --output
  std::vector<std::string> bounds;                // --bound: outputs that claim to bound the error of another
  std::optional<Status> status;                   // --status
  bool all = false;                               // --all: harmless underflows too
  bool past_exceptions = false;                   // --past-exceptions: paths go on after an infinity or a NaN
  double bound_factor = 10;                       // a claim is violated by an error so many times as large
  Wanted wanted;
  std::string strategy = "auto";
  search::Checks checks; // --site, --sampling, --loss-bits, ...
  OracleName oracle = OracleName::lifted;
  std::string reference_file, reference_function; // --reference FILE:FUNCTION
  double threshold = 1e-3;                        // relative error
  std::optional<double> ulps;                     // instead of the relative error
  double floor = 0;                               // relative errors of smaller exact results are measured against it
  bool nonzero = false;       // only inputs whose exact result is at least the floor, or the smallest normal float
  double budget_seconds = 10; // a function
  std::optional<uint64_t> evaluations; // a function
  uint64_t seed = 1;
  int jobs = 1;
  exec::Limits limits;
  exec::WorkerLimits worker;
  std::vector<std::string> command;         // for the report
  std::string baseline_file;                // --baseline
  std::shared_ptr<const Baseline> baseline; // what stands in it (campaign/baseline.h)
  std::string corpus_folder;                // --corpus
  std::shared_ptr<const Corpus> corpus;     // what is kept there (campaign/corpus.h)
  bool skip = false;                        // not hunted in unless it is named with -f

  // What is said of single functions (campaign/configuration.h); none: these options are for all.
  std::shared_ptr<const Configuration> configuration;
  std::vector<std::string> settings; // of one function: what applies to it, as words of a command, for the report
};

// What --nonzero asks of an exact result.
inline double smallest_result(const Options& options) { return options.floor > 0 ? options.floor : double(FLT_MIN); }

} // namespace faultline::campaign
