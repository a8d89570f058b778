// The command line, taken apart.
#pragma once

#include <string>
#include <vector>

namespace faultline::cli {

struct CommandLine {
  std::vector<std::string> words; // after the subcommand's name, before --
  std::vector<std::string> flags; // after --: the compiler's
  std::vector<std::string> typed; // all of it, with the subcommand's name
};
CommandLine line_of(std::vector<std::string> typed);

// The command as a report records it: without options that are never recorded.
std::vector<std::string> recorded(const std::vector<std::string>& typed);

// For subcommands that compile nothing. Throws UserError.
void refuse_flags(const CommandLine& line);

// How the program was started: for commands that can be pasted. `faultline` until it is said.
const std::string& program_name();
void set_program_name(const std::string& name);

} // namespace faultline::cli
