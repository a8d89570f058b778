// The scripts by which shells complete faultline's commands, options and their values. Pure functions of the list of
// commands.
#pragma once

#include <string>

namespace faultline::cli {

std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

} // namespace faultline::cli
