#include "cli/command_table.h"
#include "cli/commands.h"
#include "cli/parser.h"

namespace faultline::cli {

int help(const CommandLine& line) {
  if (line.words.empty() || line.words.front().starts_with("-") || line.words.front() == "help")
    throw Help{general_help()};
  const Command& command = command_named(line.words.front());
  std::vector<std::string> asked = line.words; // of a suite: bench gsl
  asked.emplace_back("--help");
  return command.run(line_of(std::move(asked)));
}

} // namespace faultline::cli
