// The command line, split into its parts, and the list of commands.
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
  std::string source = {};        // the file or folder that the words are from; empty: the user typed them
};
CommandLine line_of(std::vector<std::string> typed);

// Returns the command as a report records it, without options that are never recorded.
std::vector<std::string> recorded(const std::vector<std::string>& typed);

// Throws UserError if there are flags. For subcommands that compile nothing.
void refuse_flags(const CommandLine& line);

// The name with which the program was started, for commands that can be pasted. `faultline` until it is set.
const std::string& program_name();
void set_program_name(const std::string& name);

// The kind of a command's operands.
enum class Operand : uint8_t { files, suites, commands, campaign_commands, shells };

struct Command {
  const char* name;
  int (*run)(const CommandLine&);
  const char* synopsis;
  const char* summary;
  Operand operand;
  uint32_t options; // selects rows of the table of settings: one of model::command
};

// The list of commands, for dispatch, help and completion. In the order of the help.
std::span<const Command> all_commands();

// Throws UserError with the nearest names.
const Command& command_named(const std::string& name);

// The text of faultline --help.
std::string general_help();

// The words that an operand can be; none for files.
std::vector<std::string> words_of(Operand operand);

// Runs the program: dispatches to the subcommand, and turns errors into messages and exit statuses.
int run(int argc, char** argv);

// Returns the result of the work. If it throws, prints the error and returns the exit status.
int guarded(const std::function<int()>& work);

// Executes the wrapper if the first argument selects it. Must be called first, because a build waits for it a thousand
// times. Does not return if that fails.
void start_compiler_wrapper(char** argv);

// The subcommands. Each takes its command line and returns the exit status.
int hunt(const CommandLine& line);
int list(const CommandLine& line);
int explain(const CommandLine& line);
int fix(const CommandLine& line);
int exact(const CommandLine& line);
int replay(const CommandLine& line);
int report(const CommandLine& line);
int campaign(const CommandLine& line);
int bench(const CommandLine& line);
int bound(const CommandLine& line);
int check(const CommandLine& line);
int cover(const CommandLine& line);
int harness(const CommandLine& line);
int export_fpcore(const CommandLine& line);
int record(const CommandLine& line);
// The same for run --record; `file` is empty for the usual one.
int record_run(const std::vector<std::string>& command, const std::string& file, bool quiet);
int run_program(const CommandLine& line);
int solve(const CommandLine& line);
int vectors(const CommandLine& line);
int worker(const CommandLine& line);
int cc(const CommandLine& line); // only its help: start_compiler_wrapper() starts it
int help(const CommandLine& line);
int completion(const CommandLine& line);

} // namespace faultline::cli
