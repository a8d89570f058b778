// The program that the options name, its functions, and the settings of each.
#pragma once

#include "finding/explanation.h"
#include "frontend/program.h"
#include "hunt/extents.h"
#include "search/checks.h"

#include <vector>

namespace faultline::campaign {

// The settings of this function: the configuration's, if there is one.
finding::Settings settings_for(const frontend::Target& target, const Options& options);

// Compiled and linked; its targets are laid out as their settings say.
frontend::Program load_program(const Options& options);

// What a function must be good for.
enum class Fit : uint8_t {
  suitable, // to be hunted in as it is
  huntable, // to be hunted in, once the extents of its arrays are found (hunt/extents.h)
  callable, // the same; an integer output will do
  anything, // to be spoken of; of a function that was asked for by its name: suitable
};

// Was each function asked for by its name? A pattern asks for those that are suitable, as a whole file does.
bool by_name(const Options& options);

// The functions that -f names, all that the program has if it names none. Of those like a pattern the ones that fit and
// that the configuration does not skip; how many are left out is told. Of those that are named at least one fits.
// Throws UserError, also for what the configuration says of them.
std::vector<frontend::Target> targets_of(frontend::Program& program, const Options& options, Fit fit = Fit::suitable);

// The one function that the options name, or that the program has; of overloads the first. Throws UserError.
frontend::Target single_target(frontend::Program& program, const Options& options, Fit fit = Fit::suitable);

// The functions that are hunted in, with their settings: what the options come to when they meet a program.
struct HuntTargets {
  frontend::Program program;
  std::vector<frontend::Target> targets;
  std::vector<frontend::Target> refused;   // named beside others, and unsuitable
  std::vector<finding::Settings> settings; // one a target
  std::vector<Measured> measured;          // the same, if they were measured
};

// Throws frontend::UserError: no function is suitable, or what is said of one of them makes no sense. Arrays of which
// nobody says how long they are, are measured (hunt/extents.h).
HuntTargets select_targets(const Options& options, const std::atomic<bool>& stop, const ExtentMemory* memory = nullptr);
// Before that: those of them that are not suitable yet have to be measured.
HuntTargets select_unmeasured_targets(const Options& options);

// --site FILE:LINE names additions; a line that has none is a slip, and said at once.

// Throws UserError for a line at which no target has an addition.
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
