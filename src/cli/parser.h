// Parses words by the table of settings. Only parser.cpp includes the library that does it (CLI11).
#pragma once

#include "cli/command_line.h"
#include "model/settings/table.h"

#include <string>
#include <vector>

namespace faultline::cli {

// Returns the rows of the table for a command (model::command).
std::vector<model::Setting> options_of(uint32_t command);

// The options and operands of a command.
struct CommandForm {
  std::string name = {};        // hunt
  std::string description = {}; // one sentence
  std::string examples = {};    // at the end of --help
  std::string operand = {};     // the name of its operands: SOURCE
  std::string operand_help = {};
  bool many_operands = false;
  std::vector<model::Setting> options = options_of(command_named(name).options);
};

// The key of the operands.
inline constexpr const char* operands = "operands";

// Thrown for --help and --version. Not an error.
struct Help {
  std::string text;
};

// Throws Help, or UserError for an unknown option (with the nearest ones), a missing value, a superfluous word, or a
// flag with a value that is neither true nor false.
model::RawSettings parse(const CommandForm& form, const CommandLine& line);
// The same for a command with the operands SOURCE...
model::RawSettings parse_sources(const char* name, const char* description, const char* examples,
                                 const CommandLine& line);

} // namespace faultline::cli
