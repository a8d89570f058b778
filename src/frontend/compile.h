// From a source file to bitcode: runs clang or flang as the user would, without a shell.
#pragma once

#include <string>
#include <vector>

namespace faultline::frontend {

enum class Language { c, cxx, fortran, bitcode, assembly, unknown };
Language language_of(const std::string& file);

// The flags, and before them the version of the language if they tell none: C++20. A header may be either language.
std::vector<std::string> with_standard(Language language, const std::vector<std::string>& flags);

// The bitcode of one source file. Fortran's module files go to, and come from, `module_folder`. Throws UserError with
// the compiler's messages.
std::string compile(const std::string& file, const std::vector<std::string>& flags, const std::string& directory,
                    const std::string& module_folder);

} // namespace faultline::frontend
