// The program that the options name, its functions, and the settings of each.
#pragma once

#include "finding/explanation.h"
#include "frontend/program.h"
#include "hunt/extents.h"
#include "search/checks.h"

#include <vector>

namespace faultline::campaign {

// Returns the folders of the project (frontend/project_files.h), and the files of targets that are what was compiled.
std::vector<std::string> project_of(const Options& options);

// Returns the settings of this function, including those of the configuration, if there is one.
finding::Settings settings_for(const frontend::Target& target, const Options& options);

// Compiles and links the program, and lays out its targets by their settings.
frontend::Program load_program(const Options& options);

// The requirements on a function.
enum class Fit : uint8_t {
  suitable, // can be tested as it is
  huntable, // can be tested once the extents of its arrays are found (hunt/extents.h)
  callable, // the same; an integer output is enough
  anything, // no requirement; but a function given by name must be suitable
};

// True if -f gives every function by name. A pattern selects the suitable functions, as a whole file does.
bool by_name(const Options& options);

// Returns the functions that -f names, or all functions of the program. Of those that match a pattern, returns the ones
// that fit and that the configuration does not skip, and prints how many are left out. Of those given by name, at least
// one fits. Throws UserError, also for errors in their configuration.
std::vector<frontend::Target> targets_of(frontend::Program& program, const Options& options, Fit fit = Fit::suitable);

// Returns the one function that the options name, or that the program has; of overloads, the first. Throws UserError.
frontend::Target single_target(frontend::Program& program, const Options& options, Fit fit = Fit::suitable);

// The functions of a program that the options select for a hunt, with their settings.
struct HuntTargets {
  frontend::Program program;
  std::vector<frontend::Target> targets;
  std::vector<frontend::Target> refused;   // given by name together with others, and unsuitable
  std::vector<finding::Settings> settings; // one per target
  std::vector<Measured> measured;          // one per target, if they were measured
};

// Selects the functions. Arrays without a declared length are measured (hunt/extents.h). Throws frontend::UserError if
// no function is suitable, or if the settings of one make no sense.
HuntTargets select_targets(const Options& options, const std::atomic<bool>& stop, const ExtentMemory* memory = nullptr);
// Selects the functions without measuring arrays. Those that are not suitable yet must be measured.
HuntTargets select_unmeasured_targets(const Options& options);

// Checks the lines of --site FILE:LINE, which names additions. Throws UserError for a line at which no target has an
// addition.
void check_lines(frontend::Program& program, const std::vector<frontend::Target>& targets,
                 const search::Checks& checks);

// The functions of a program, for faultline list. Sites are counted without running anything.
struct Listing {
  std::vector<finding::ListedTarget> targets;
  frontend::CaptureSummary captured;
};

// Throws frontend::UserError.
Listing list(const Options& options);

} // namespace faultline::campaign
