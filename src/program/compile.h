// Compiles a source file to bitcode: runs clang or flang as the user would, without a shell.
#pragma once

#include "program/compiling/compiler_process.h"
#include "program/sources.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::program {

enum class Language { c, cxx, fortran, fpcore, bitcode, assembly, unknown };
Language language_of(const std::string& file);

// Returns the flags, preceded by the language version C++20 if they set none. A header may be C or C++.
std::vector<std::string> with_standard(Language language, const std::vector<std::string>& flags);

// Where a compiler runs, and what it may read.
struct Compilation {
  std::string directory = {};     // empty: the current one
  std::string module_folder = {}; // of Fortran's module files
  // The folders of the project (program/project_files.h). The compiler reads only files in them, the file itself, what
  // flags name, and its own. None: all files, as for a build by the user.
  std::optional<std::vector<std::string>> project = {};
  const UnnamedFile* replacement = nullptr; // has the text of the file
  CompilerEnvironment environment = CompilerEnvironment::clean;
};
Compilation compilation_of(const Sources& sources, const std::string& directory, const std::string& module_folder);

// Returns the files that the compiler may read; empty: all.
std::vector<std::string> readable_files(const std::string& compiler, const std::string& file,
                                        const std::vector<std::string>& flags, const Compilation& how);

enum class Cached : uint8_t { no, yes };

// Runs the compiler with the flags of all our bitcode, followed by these flags. Its output is the bitcode, which may
// come from the cache (program/compiling/compile_cache.h). Throws UserError if the language is not one that is
// compiled, and as run_compiler does.
CompilerRun run_bitcode_compiler(Language language, const std::string& file, const std::vector<std::string>& flags,
                                 const Compilation& how, Cached cached = Cached::no);

// Returns flang's information about a Fortran file. `question` is one of its -fdebug-dump- options. Only flags that
// affect parsing are passed. Throws as run_compiler does.
CompilerRun run_fortran_reader(const std::string& question, const std::string& file,
                               const std::vector<std::string>& flags, const Compilation& how);

// Returns the bitcode of one source file. Throws UserError with the compiler's messages, or with the name of a file
// outside of the project that the source reads.
std::string compile(const std::string& file, const std::vector<std::string>& flags, const Compilation& how);

// Returns the line with the first error of the compiler's messages.
std::string first_error(const std::string& messages);

} // namespace faultline::program
