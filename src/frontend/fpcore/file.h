// A file of FPCores (docs/fpcore.md): as C, which is compiled as every C source is, and what it says of each function
// beside that.
#pragma once

#include "frontend/fpcore/core.h"
#include "frontend/fpcore/expression_writer.h"

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

// A precondition (:pre) taken apart: what bounds one argument becomes its range, and the rest is left to be checked by
// the function itself, which refuses other inputs.

// Of the floats that the precondition admits, the lowest and the highest: (< 0 x 1) has the smallest subnormal.
struct ArgumentRange {
  std::string argument; // its name in C
  long double low = 0, high = 0;
};

struct Precondition {
  std::vector<ArgumentRange> ranges; // in the order of the arguments; none may be empty (low > high)
  std::vector<const Form*> rest;     // all of which must hold; they point into the core
};

Precondition precondition_of(const Core& core);

} // namespace faultline::frontend::fpcore
