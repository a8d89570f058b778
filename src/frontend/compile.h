// From a source file to bitcode: runs clang or flang as the user would, without a shell.
#pragma once

#include "frontend/compiling/compiler_process.h"

#include <string>
#include <vector>

namespace faultline::frontend {

enum class Language { c, cxx, fortran, fpcore, bitcode, assembly, unknown };
Language language_of(const std::string& file);

// The flags, and before them the version of the language if they tell none: C++20. A header may be either language.
std::vector<std::string> with_standard(Language language, const std::vector<std::string>& flags);

// Runs the compiler for it, with what all bitcode of ours is compiled with and then these flags; its output is the
// bitcode. Fortran's module files go to, and come from, `module_folder`. Throws UserError if the language is none that
// is compiled, and as run_compiler does.
CompilerRun run_bitcode_compiler(Language language, const std::string& file, const std::vector<std::string>& flags,
                                 const std::string& directory, const std::string& module_folder);

// What flang knows of a Fortran file: `question` is one of its -fdebug-dump- options. Of the flags it gets those that
// its reading depends on. Throws as run_compiler does.
CompilerRun run_fortran_reader(const std::string& question, const std::string& file,
                               const std::vector<std::string>& flags, const std::string& directory,
                               const std::string& module_folder);

// The bitcode of one source file. Throws UserError with the compiler's messages.
std::string compile(const std::string& file, const std::vector<std::string>& flags, const std::string& directory,
                    const std::string& module_folder);

// What to try when a file does not compile: a header that lies elsewhere or that the build makes, a Fortran module that
// none of the files has.

// The line of the compiler's messages that says what is wrong first.
std::string first_error(const std::string& messages);

// Headers are looked for in the folder of the file and below it, and beside that folder.
std::string compiler_advice(const std::string& messages, const std::string& file);

} // namespace faultline::frontend
