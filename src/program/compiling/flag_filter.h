// Makes compiler flags from files safe to use. Reading data must not run or write anything, but foreign flags can make
// the compiler do both.
//
// A findings file, a job, a faultline.toml or a compilation database is data and may come from anywhere. A flag can
// load a plugin into the compiler (-fplugin=), run another program (-B), write a file (-ftime-trace=, -Wp,-MD), or read
// one that is not of the project (-include). So flags are parsed with the compilers' own table of options
// (program/compiling/option_table.h), and each option is
//
//   kept     if it selects the language, headers, macros, optimisation, features of the machine, the model of
//            floating-point arithmetic, or debug information, and its value is of the right sort. A path must lead into
//            the project or the system's folders (program/compiling/project_folders.h)
//   dropped  if it cannot matter to bitcode: warnings, dependencies, names of outputs, what is for the linker
//   refused  otherwise, and if the compilers do not know it
//
// A kept option is written anew, with its value in the same word, and parsed again: it must mean the same to both
// compilers, or be unknown to one, which then does nothing. So no word can change the meaning of another.
#pragma once

#include "program/compiling/project_folders.h"

#include <string>
#include <vector>

namespace faultline::program {

enum class Trust : bool { no, yes }; // --trust-flags

// A file that has flags.
struct FlagFile {
  std::string name;           // for messages
  ProjectFolders project;     // where their paths may lead
  std::string folder = {};    // which relative paths are relative to; they become relative to `directory`
  std::string directory = {}; // where the compiler runs; empty: the current folder
};

// Returns the flags to use, in their order and in canonical form. From an untrusted file, throws UserError that names
// the first flag that is not accepted; from a trusted one, accepts all relevant flags, and paths to anywhere.
std::vector<std::string> flags_from_file(const std::vector<std::string>& flags, const FlagFile& file, Trust trust);

// For a second compilation of a build's sources: the flags are the user's own, but many are another compiler's.
struct BuildFlags {
  std::vector<std::string> taken;
  std::vector<std::string> left_out; // relevant flags that our compilers may not support
};
BuildFlags flags_of_build(const std::vector<std::string>& flags);

// Converts a path, or a word that begins with one, that is relative to a folder; an empty folder is the current one.
std::string relative_to(const std::string& folder, const std::string& path);

} // namespace faultline::program
