// Shell completion, made from the list of commands and the table of settings, so that new options are included.

// The kind of value that follows an option.
#pragma once

#include "cli/command_line.h"
#include "model/settings/table.h"

#include <string>
#include <vector>

namespace faultline::cli {

enum class Follows : uint8_t {
  nothing, // a flag
  words,   // one of `words`
  files,
  folders,
  anything, // cannot be completed: a number, a name in the code under test
};

struct CompletedOption {
  std::vector<std::string> names; // -f, --function
  std::string help;
  std::string value; // its placeholder in --help
  Follows follows = Follows::anything;
  std::vector<std::string> words;
  bool repeatable = false;
};

// Returns the options of a command, including --help.
std::vector<CompletedOption> completed_options(const Command& command);

// The scripts with which shells complete faultline's commands, options and their values. Pure functions of the list of
// commands.
std::string bash_completion();
std::string zsh_completion();
std::string fish_completion();

} // namespace faultline::cli
