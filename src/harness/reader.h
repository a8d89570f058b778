// The functions that a C or C++ file declares, read with libclang.
#pragma once

#include "harness/declaration.h"

#include <string>
#include <vector>

namespace faultline::harness {

struct Request {
  std::string file;
  std::vector<std::string> flags; // of the compiler
  // What -f names: patterns, names with or without namespaces and template arguments. Functions of other files than
  // this one, and static ones, are looked for only if they are named. Empty: all of the file.
  std::vector<std::string> functions;
};

// Throws std::runtime_error with clang's message if the file cannot be parsed at all.
Declarations read_declarations(const Request& request);

} // namespace faultline::harness
