// What a compiler's command line does: which sources it compiles, with which flags, and to which objects. It is read as
// GCC's and Clang's drivers read it.
#pragma once

#include "frontend/compile.h"

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::frontend {

// Whose place the wrapper takes.
enum class Driver : uint8_t { cc, cxx, fc };

enum class CommandKind : uint8_t {
  other,            // links, preprocesses, tells something: nothing is compiled to an object
  compile,          // -c
  compile_and_link, // the objects in between have no names
};

struct CompiledSource {
  std::string file;
  std::string object; // with -c
  Language language = Language::unknown;
  std::string given;    // what -x has to say of it; empty: its ending tells
  std::string obstacle; // why there can be no bitcode: it is assembly, or in a language that we have no compiler for
};

struct CompilerCommand {
  CommandKind kind = CommandKind::other;
  std::vector<CompiledSource> sources;
  std::vector<std::string> flags; // those that say how to compile
  std::string output;             // -o
  std::string module_folder;      // where Fortran's module files go; empty: the current folder
};

// `words` are the arguments, with the words of response files in their places (expanded).
CompilerCommand understood(Driver driver, const std::vector<std::string>& words);

// The arguments, with the words of @FILE in the place of each.
std::vector<std::string> expanded(const std::vector<std::string>& arguments);

} // namespace faultline::frontend
