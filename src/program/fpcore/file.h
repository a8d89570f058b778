// Reads a file of FPCores (docs/fpcore.md): as C that is compiled like every C source, and as settings for each
// function.
#pragma once

#include "program/fpcore/core.h"
#include "program/fpcore/expression_writer.h"

#include <string>
#include <vector>

namespace faultline::program::fpcore {

// The settings of a function in the file, in the syntax of the command line.
struct FunctionSettings {
  std::string function;
  int line = 0;
  std::vector<std::string> ranges; // x=LO:HI, of :pre
  std::string meaning;             // from :spec; empty if there is none
  bool has_conditions = false;     // :pre has more than ranges
  std::vector<std::string> remarks = {};
};

bool is_fpcore(const std::string& file); // by its ending

// Throws UserError if the file cannot be read or is wrong.
std::string c_source(const std::string& file, Preconditions preconditions = Preconditions::checked);
std::vector<FunctionSettings> settings_in_file(const std::string& file);

// Does the same for a text.
std::string c_source_of(std::string_view text, const std::string& file,
                        Preconditions preconditions = Preconditions::checked);
std::vector<FunctionSettings> settings_in_text(std::string_view text, const std::string& file);

// A precondition (:pre) split into parts. Bounds of one argument become its range. The function itself checks the rest,
// and rejects other inputs.

// The lowest and the highest float that the precondition admits: (< 0 x 1) begins at the smallest subnormal.
struct ArgumentRange {
  std::string argument; // its C name
  numeric::Value low = 0, high = 0;
};

struct Precondition {
  std::vector<ArgumentRange> ranges; // in the order of the arguments; none may be empty (low > high)
  std::vector<const Form*> rest;     // all of these must hold; they point into the core
};

Precondition precondition_of(const Core& core);

} // namespace faultline::program::fpcore
