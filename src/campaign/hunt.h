// A hunt: many targets, each in a worker of its own, and what they found.
#pragma once

#include "campaign/finding.h"
#include "campaign/options.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>

namespace faultline::campaign {

// What is going on, for a progress line. Called in the supervisor.
struct Progress {
  std::string function; // of the target that made progress last
  size_t targets_done = 0;
  size_t targets = 0;
  uint64_t evaluations = 0; // all targets
  uint64_t reached = 0;     // operations of the program of that target that have been executed, of `sites`
  uint64_t sites = 0;
  double seconds = 0;      // since the hunt began
  double worst_error = 0;  // verified, so far
  std::string worst_where; // function, file:line
};

struct Listener {
  std::function<void(const Progress&)> on_progress;                           // several times a second
  std::function<void(const TargetReport& target, const Finding&)> on_finding; // the moment it is verified
  // While the search goes on: verified, but not yet what will be reported of it.
  std::function<void(const TargetReport& target, const Finding&)> on_sighting;
  std::function<void(const TargetReport&)> on_target; // when one is done, in the order they finish
  // A report with one finding, that belongs into the corpus under this name.
  std::function<void(const Report&, const std::string& file)> on_keep = {};
};

// Throws frontend::UserError. The report has the targets in the order of the source, whatever `jobs` is. `stop` ends
// the hunt early and keeps what was found.
Report hunt(const Options& options, const Listener& listener, const std::atomic<bool>& stop);

// Runs saved findings again in fresh workers, one for each target, and another one after each death; the program is
// loaded once. The options are those of the saved command.
struct ReplayResult {
  bool reproduced = false;
  std::string what; // one line: what was seen now
};
class Replayer {
public:
  explicit Replayer(const Options& options); // throws frontend::UserError
  ~Replayer();
  // `target` gives the function. Throws frontend::UserError if it is gone or has changed.
  std::vector<ReplayResult> replay(const TargetReport& target, const std::vector<Finding>& findings);

private:
  Options options_;
  std::unique_ptr<frontend::Program> program_;
};

// The targets of the sources, for faultline list. Sites are counted in a worker-free way (instrumentation only).
struct ListedTarget {
  frontend::Target target;
  uint64_t sites = 0;
  std::map<std::string, std::string> held; // integers that have one value: what an array's size tells
};
std::vector<ListedTarget> list(const Options& options);

} // namespace faultline::campaign
