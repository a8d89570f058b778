// The list of commands: what dispatches, helps and completes goes by it.
#pragma once

#include "cli/command_line.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace faultline::cli {

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

} // namespace faultline::cli
