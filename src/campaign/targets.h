// The program that the options name, its functions, and the settings of each.
#pragma once

#include "campaign/options.h"

#include <vector>

namespace faultline::campaign {

// The settings of this function: the configuration's, if there is one.
finding::Settings settings_for(const frontend::Target& target, const Options& options);

// Compiled and linked; its targets are laid out as their settings say.
frontend::Program load_program(const Options& options);

// The functions that -f names, all that the program has if it names none. Throws UserError, also for what the
// configuration says of them. `callable`: an integer output will do.
std::vector<frontend::Target> targets_of(frontend::Program& program, const Options& options, bool callable = false);

// The one function that the options name, or that the program has. Throws UserError.
frontend::Target single_target(frontend::Program& program, const Options& options, bool callable = false);

} // namespace faultline::campaign
