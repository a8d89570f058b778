// The command line, taken apart.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
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

// The list of commands: what dispatches, helps and completes goes by it.

// What the words of a command are that belong to no option.
enum class Operand : uint8_t { files, suites, commands, campaign_commands, shells };

struct Command {
  const char* name;
  int (*run)(const CommandLine&);
  const char* synopsis;
  const char* summary;
  Operand operand;
  uint32_t options; // the rows of the table of settings that it takes: one of finding::command
};

std::span<const Command> all_commands(); // in the order in which help shows them

// Throws UserError with the nearest names.
const Command& command_named(const std::string& name);

// What faultline --help prints: the list, and how to go on.
std::string general_help();

// The words that an operand can be; none of files.
std::vector<std::string> words_of(Operand operand);

// The program: chooses the subcommand, and turns errors into messages and exit statuses.
int run(int argc, char** argv);

// What the work returns; or, where it throws, the exit status, when the user has been told.
int guarded(const std::function<int()>& work);

} // namespace faultline::cli
