// The meaning of a compiler's command line: the sources that it compiles, the flags, and the objects that it writes.
// Arguments are parsed as GCC's and Clang's drivers parse them.
#pragma once

#include "program/compile.h"

#include <cstdint>
#include <string>
#include <vector>

namespace faultline::program {

// The compiler that the wrapper replaces.
enum class Driver : uint8_t { cc, cxx, fc };

enum class CommandKind : uint8_t {
  other,            // links, preprocesses, prints information: no source is compiled to an object
  compile,          // -c
  compile_and_link, // intermediate objects have no names
};

struct CompiledSource {
  std::string file;
  std::string object; // with -c
  Language language = Language::unknown;
  std::string given;    // the value of -x; empty: the ending determines the language
  std::string obstacle; // why there is no bitcode: assembly, or an unsupported language
};

struct CompilerCommand {
  CommandKind kind = CommandKind::other;
  std::vector<CompiledSource> sources;
  std::vector<std::string> flags; // flags that affect compilation
  std::string output;             // -o
  std::string module_folder;      // for Fortran's module files; empty: the current folder
};

// `words` are the arguments after expand_response_files().
CompilerCommand parse_command(Driver driver, const std::vector<std::string>& words);

// Returns the arguments with @FILE replaced by the words of the file.
std::vector<std::string> expand_response_files(const std::vector<std::string>& arguments);

} // namespace faultline::program
