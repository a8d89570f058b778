// A file of FPCores (docs/fpcore.md): as C, which is compiled as every C source is, and what it says of each function
// beside that.
#pragma once

#include "frontend/fpcore/function_writer.h"

#include <string>
#include <vector>

namespace faultline::frontend::fpcore {

// What the file says of a function, as words of a command line would.
struct FunctionSaid {
  std::string function;
  int line = 0;
  std::vector<std::string> ranges; // x=LO:HI, of :pre
  std::string meaning;             // of :spec; empty: none
  bool has_conditions = false;     // :pre says more than ranges
  std::vector<std::string> remarks = {};
};

bool is_fpcore(const std::string& file); // by its ending

// Throws UserError: the file cannot be read, or is wrong somewhere.
std::string c_source(const std::string& file, Preconditions preconditions = Preconditions::checked);
std::vector<FunctionSaid> said_in(const std::string& file);

// The same of a text.
std::string c_source_of(std::string_view text, const std::string& file,
                        Preconditions preconditions = Preconditions::checked);
std::vector<FunctionSaid> said_in_text(std::string_view text, const std::string& file);

} // namespace faultline::frontend::fpcore
