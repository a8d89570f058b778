// Parses words by the table of settings. Only parser.cpp includes the library that does it (CLI11).
#pragma once

#include "cli/command_line.h"
#include "finding/settings/table.h"

#include <string>
#include <vector>

namespace faultline::cli {

// The options and operands of a command.
struct CommandForm {
  std::string name = {};        // faultline hunt
  std::string description = {}; // one sentence
  std::string examples = {};    // at the end of --help
  std::string operand = {};     // the name of its operands: SOURCE
  std::string operand_help = {};
  bool many_operands = false;
  std::vector<finding::Setting> options = {};
};

// The help of SOURCE in all commands.
inline constexpr const char* source_help =
    "C, C++, Fortran, .ll or .bc files, folders of sources, or what a build with faultline cc has made";

// The key of the operands.
inline constexpr const char* operands = "operands";

// Returns the rows of the table for a command (finding::command).
std::vector<finding::Setting> options_of(uint32_t command);

// Thrown for --help and --version. Not an error.
struct Help {
  std::string text;
};

// Throws Help, or UserError for an unknown option (with the nearest ones), a missing value, a superfluous word, or a
// flag with a value that is neither true nor false.
finding::Said parse(const CommandForm& form, const CommandLine& line);

} // namespace faultline::cli
