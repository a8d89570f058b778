// Compiles a source file to bitcode: runs clang or flang as the user would, without a shell.
#pragma once

#include "frontend/compiling/compiler_process.h"

#include <string>
#include <vector>

namespace faultline::frontend {

enum class Language { c, cxx, fortran, fpcore, bitcode, assembly, unknown };
Language language_of(const std::string& file);

// Returns the flags, preceded by the language version C++20 if they set none. A header may be C or C++.
std::vector<std::string> with_standard(Language language, const std::vector<std::string>& flags);

// Runs the compiler with the flags of all our bitcode, followed by these flags. Its output is the bitcode.
// `module_folder` holds Fortran's module files. Throws UserError if the language is not one that is compiled, and as
// run_compiler does.
CompilerRun run_bitcode_compiler(Language language, const std::string& file, const std::vector<std::string>& flags,
                                 const std::string& directory, const std::string& module_folder,
                                 CompilerEnvironment environment = CompilerEnvironment::clean);

// Returns flang's information about a Fortran file. `question` is one of its -fdebug-dump- options. Only flags that
// affect parsing are passed. Throws as run_compiler does.
CompilerRun run_fortran_reader(const std::string& question, const std::string& file,
                               const std::vector<std::string>& flags, const std::string& directory,
                               const std::string& module_folder);

// Returns the bitcode of one source file. Throws UserError with the compiler's messages.
std::string compile(const std::string& file, const std::vector<std::string>& flags, const std::string& directory,
                    const std::string& module_folder);

// Returns the line with the first error of the compiler's messages.
std::string first_error(const std::string& messages);

// Suggests what to try when a file does not compile because a header lies elsewhere or is made by the build, or because
// no file defines a Fortran module. Searches for headers in the folder of the file, below it, and next to it.
std::string compiler_advice(const std::string& messages, const std::string& file);

} // namespace faultline::frontend
