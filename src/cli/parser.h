// From words to what they say, by the table of settings. The library that sorts words to options (CLI11) is known to
// parser.cpp alone.
#pragma once

#include "cli/command_line.h"
#include "finding/settings/table.h"

#include <string>
#include <vector>

namespace faultline::cli {

// What a command takes.
struct CommandForm {
  std::string name = {};        // faultline hunt
  std::string description = {}; // one sentence
  std::string examples = {};    // what stands at the end of --help
  std::string operand = {};     // what its words without an option are: SOURCE
  std::string operand_help = {};
  bool many_operands = false;
  std::vector<finding::Setting> options = {};
};

// What all commands say of SOURCE.
inline constexpr const char* source_help =
    "C, C++, Fortran, .ll or .bc files, folders of sources, or what a build with faultline cc has made";

// The key of the words without an option.
inline constexpr const char* operands = "operands";

// The rows of the table that a command (finding::command) takes.
std::vector<finding::Setting> options_of(uint32_t command);

// Thrown when the user asked for help or the version: not an error.
struct Help {
  std::string text;
};

// Throws Help, or UserError: an option that does not exist (with the nearest ones), a value that is missing, a word too
// many, a flag with a value that is neither true nor false.
finding::Said parse(const CommandForm& form, const CommandLine& line);

} // namespace faultline::cli
