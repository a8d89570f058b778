// The program that the options name, its functions, and the settings of each.
#pragma once

#include "exec/outcome.h"
#include "hunt/configuration.h"
#include "model/explanation.h"
#include "model/report.h"
#include "model/set_aside.h"
#include "model/settings/seen.h"
#include "model/settings/settings.h"
#include "program/program.h"
#include "search/checks.h"

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace faultline::hunt {

// The source files of a program from which settings of functions are read. Each is read once.
struct SourceFiles {
  std::optional<model::SourceText> text = {}; // none before the first use
  std::set<std::string> compared = {};        // with the checksums of debug information
  std::vector<std::string> unchanged = {};    // of these, wherever they are (program/content_hash.h)
  hunt::FpcoreSettings fpcore;
};

// The options of a hunt or a campaign, from the command line and faultline.toml.
struct Options {
  program::Sources sources;
  std::vector<std::string> functions; // -f: names and patterns; empty: all suitable ones
  model::Settings settings;           // of all functions; the configuration may override them for some
  int jobs = 1;
  exec::Limits limits;
  exec::WorkerLimits worker;
  std::vector<std::string> command;                // for the report: what was typed
  std::vector<std::string> headers;                // --include: for the tests that are written
  std::string json_report;                         // the first JSON file that is written; empty: none
  std::shared_ptr<const model::Baseline> baseline; // --baseline
  std::shared_ptr<const model::Corpus> corpus;     // --corpus
  std::shared_ptr<const model::SeenRuns> seen;     // --seen, --near
  bool near = false;                               // --near: only around the recorded calls
  bool without_configuration = false;              // --no-config
  std::optional<hunt::Configuration> configuration;
  std::shared_ptr<SourceFiles> files = std::make_shared<SourceFiles>(); // copies of the options share them
  std::function<void(const std::string&)> tell;                         // prints a line for the user at once
};

// The array extents found by running a function.
//
// Before a hunt, the extents of arrays without a declared length are found in this way (judge/extent_search.h). From
// then on, they are treated as if --size, --hold and --range had given them, also in reports and commands.
struct MeasuredExtents {
  std::vector<model::FoundExtent> extents; // of the arrays whose size was found
  std::string note;                        // for the user; empty: there was nothing to find
  bool cut = false;
};

// The result of running a function: extents, or the reason why there are none.
struct ExtentAnswer {
  std::optional<model::FoundExtents> found;
  std::string why_not;
};

// Answers of earlier runs, so that a campaign measures each function once. `hash` covers everything that the answer
// depends on.
struct ExtentMemory {
  std::function<std::optional<ExtentAnswer>(const model::Target& target, const std::string& hash)> recall;
  std::function<void(const model::Target& target, const std::string& hash, const ExtentAnswer& answer)> keep;
};

// Returns one result per target, and updates the targets' layouts and settings. A function that needs to be measured
// and cannot be stays unsuitable.
std::vector<MeasuredExtents> measure(program::Program& program, std::vector<model::Target>& targets,
                                     std::vector<model::Settings>& settings, const Options& options,
                                     const std::atomic<bool>& stop, const ExtentMemory* memory = nullptr);

// The same for one target. Throws UserError if it cannot be measured.
MeasuredExtents measure(program::Program& program, model::Target& target, model::Settings& settings,
                        const Options& options);

// Returns the folders of the project (program/project_files.h), and the files of targets that are what was compiled.
std::vector<std::string> project_of(const Options& options);

// Returns the settings of this function, including those of the configuration, if there is one.
model::Settings settings_for(const model::Target& target, const Options& options);

// Compiles and links the program, and lays out its targets by their settings.
program::Program load_program(const Options& options);

// The requirements on a function.
enum class Fit : uint8_t {
  suitable, // can be tested as it is
  huntable, // can be tested once the extents of its arrays are found
  callable, // the same; an integer output is enough
  anything, // no requirement; but a function given by name must be suitable
};

// True if -f gives every function by name. A pattern selects the suitable functions, as a whole file does.
bool by_name(const Options& options);

// Returns the functions that -f names, or all functions of the program. Of those that match a pattern, returns the ones
// that fit and that the configuration does not skip, and prints how many are left out. Of those given by name, at least
// one fits. Throws UserError, also for errors in their configuration.
std::vector<model::Target> targets_of(program::Program& program, const Options& options, Fit fit = Fit::suitable);

// Returns the one function that the options name, or that the program has; of overloads, the first. Throws UserError.
model::Target single_target(program::Program& program, const Options& options, Fit fit = Fit::suitable);

// The functions of a program that the options select for a hunt, with their settings.
struct HuntTargets {
  program::Program program;
  std::vector<model::Target> targets;
  std::vector<model::Target> refused;             // given by name together with others, and unsuitable
  std::vector<model::Settings> settings;          // one per target
  std::vector<MeasuredExtents> measured;          // one per target, if they were measured
  std::map<model::Obstacle, size_t> skipped = {}; // not given by name, and unsuitable
};

// Selects the functions. Arrays without a declared length are measured. Throws UserError if
// no function is suitable, or if the settings of one make no sense.
HuntTargets select_targets(const Options& options, const std::atomic<bool>& stop, const ExtentMemory* memory = nullptr);
// Selects the functions without measuring arrays. Those that are not suitable yet must be measured.
HuntTargets select_unmeasured_targets(const Options& options);

// Checks the lines of --site FILE:LINE, which names additions. Throws UserError for a line at which no target has an
// addition.
void check_lines(program::Program& program, const std::vector<model::Target>& targets, const search::Checks& checks);

// The functions of a program, for faultline list. Sites are counted without running anything.
struct Listing {
  std::vector<model::ListedTarget> targets;
  program::CaptureSummary captured;
};

// Throws UserError.
Listing list(const Options& options);

} // namespace faultline::hunt
