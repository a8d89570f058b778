// The program that the options name, its functions, and the settings of each.
#pragma once

#include "hunt/options.h"

#include <vector>

namespace faultline::campaign {

// The settings of this function: the configuration's, if there is one.
finding::Settings settings_for(const frontend::Target& target, const Options& options);

// Compiled and linked; its targets are laid out as their settings say.
frontend::Program load_program(const Options& options);

// What a function must be good for.
enum class Fit : uint8_t {
  suitable, // to be hunted in as it is
  huntable, // to be hunted in, once the extents of its arrays are found (hunt/targets/extents.h)
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

} // namespace faultline::campaign
