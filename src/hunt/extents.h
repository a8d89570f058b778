// Before a hunt: arrays of which nobody says how long they are get the extents that running their function tells
// (judge/extents/). From there on all is as if --size, --hold and --range had said so, in reports and commands, too.
#pragma once

#include "exec/outcome.h"
#include "finding/corpus.h"
#include "finding/extents.h"
#include "finding/set_aside.h"
#include "finding/settings/configuration.h"
#include "finding/settings/seen.h"
#include "finding/settings/settings.h"
#include "frontend/program.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace faultline::campaign {

// What a campaign is asked to do: the command line and faultline.toml end up here.

// The source files of a program, as far as settings of functions are read from them: each is read once.
struct SourceFiles {
  finding::SourceText text;
  finding::FpcoreSettings fpcore;
};

struct Options {
  frontend::Sources sources;
  std::vector<std::string> functions; // -f: names and patterns; empty: all suitable ones
  finding::Settings settings;         // of all functions, but for what the configuration says of single ones
  int jobs = 1;
  exec::Limits limits;
  exec::WorkerLimits worker;
  std::vector<std::string> command;                  // for the report: what was typed
  std::vector<std::string> headers;                  // --include: of the tests that are written
  std::string json_report;                           // the first JSON file that it writes; empty: none
  std::shared_ptr<const finding::Baseline> baseline; // --baseline: what stands in it
  std::shared_ptr<const finding::Corpus> corpus;     // --corpus: what is kept there
  std::shared_ptr<const finding::SeenRuns> seen;     // --seen: what real runs were like
  bool without_configuration = false;                // --no-config
  std::optional<finding::Configuration> configuration;
  std::shared_ptr<SourceFiles> files = std::make_shared<SourceFiles>(); // copies of the options share them
  std::function<void(const std::string&)> tell; // what the user should know at once: a line of text
};

// What running a function has told of its arrays.
struct Measured {
  std::vector<finding::FoundExtent> extents; // of those that have a size by it
  std::string note;                          // for the user; empty: there was nothing to find
  bool cut = false;
};

// What came of running a function: extents, or why there are none.
struct ExtentAnswer {
  std::optional<finding::FoundExtents> found;
  std::string why_not;
};

// Answers of earlier runs, so that functions of a campaign are measured once. `hash`: of all that the answer depends
// on.
struct ExtentMemory {
  std::function<std::optional<ExtentAnswer>(const frontend::Target& target, const std::string& hash)> recall;
  std::function<void(const frontend::Target& target, const std::string& hash, const ExtentAnswer& answer)> keep;
};

// One for each target, whose layouts and settings change by it. A function that cannot be measured and needs to be
// stays unsuitable.
std::vector<Measured> measure(frontend::Program& program, std::vector<frontend::Target>& targets,
                              std::vector<finding::Settings>& settings, const Options& options,
                              const std::atomic<bool>& stop, const ExtentMemory* memory = nullptr);

// The same for one target. Throws UserError if it cannot be measured.
Measured measure(frontend::Program& program, frontend::Target& target, finding::Settings& settings,
                 const Options& options);

} // namespace faultline::campaign
