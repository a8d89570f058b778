// Before a hunt, finds the extents of arrays without a declared length by running their function (judge/extents/).
// From then on, they are treated as if --size, --hold and --range had given them, also in reports and commands.
#pragma once

#include "exec/outcome.h"
#include "finding/corpus.h"
#include "finding/report.h"
#include "finding/set_aside.h"
#include "finding/settings/configuration.h"
#include "finding/settings/seen.h"
#include "finding/settings/settings.h"
#include "frontend/program.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace faultline::campaign {

// The source files of a program from which settings of functions are read. Each is read once.
struct SourceFiles {
  std::optional<finding::SourceText> text = {}; // none before the first use
  std::set<std::string> compared = {};          // with the checksums of debug information
  std::vector<std::string> unchanged = {};      // of these, wherever they are (frontend/content_hash.h)
  finding::FpcoreSettings fpcore;
};

// The options of a hunt or a campaign, from the command line and faultline.toml.
struct Options {
  frontend::Sources sources;
  std::vector<std::string> functions; // -f: names and patterns; empty: all suitable ones
  finding::Settings settings;         // of all functions; the configuration may override them for some
  int jobs = 1;
  exec::Limits limits;
  exec::WorkerLimits worker;
  std::vector<std::string> command;                  // for the report: what was typed
  std::vector<std::string> headers;                  // --include: for the tests that are written
  std::string json_report;                           // the first JSON file that is written; empty: none
  std::shared_ptr<const finding::Baseline> baseline; // --baseline
  std::shared_ptr<const finding::Corpus> corpus;     // --corpus
  std::shared_ptr<const finding::SeenRuns> seen;     // --seen
  bool without_configuration = false;                // --no-config
  std::optional<finding::Configuration> configuration;
  std::shared_ptr<SourceFiles> files = std::make_shared<SourceFiles>(); // copies of the options share them
  std::function<void(const std::string&)> tell;                         // prints a line for the user at once
};

// The array extents found by running a function.
struct Measured {
  std::vector<finding::FoundExtent> extents; // of the arrays whose size was found
  std::string note;                          // for the user; empty: there was nothing to find
  bool cut = false;
};

// The result of running a function: extents, or the reason why there are none.
struct ExtentAnswer {
  std::optional<finding::FoundExtents> found;
  std::string why_not;
};

// Answers of earlier runs, so that a campaign measures each function once. `hash` covers everything that the answer
// depends on.
struct ExtentMemory {
  std::function<std::optional<ExtentAnswer>(const frontend::Target& target, const std::string& hash)> recall;
  std::function<void(const frontend::Target& target, const std::string& hash, const ExtentAnswer& answer)> keep;
};

// Returns one result per target, and updates the targets' layouts and settings. A function that needs to be measured
// and cannot be stays unsuitable.
std::vector<Measured> measure(frontend::Program& program, std::vector<frontend::Target>& targets,
                              std::vector<finding::Settings>& settings, const Options& options,
                              const std::atomic<bool>& stop, const ExtentMemory* memory = nullptr);

// The same for one target. Throws UserError if it cannot be measured.
Measured measure(frontend::Program& program, frontend::Target& target, finding::Settings& settings,
                 const Options& options);

} // namespace faultline::campaign
