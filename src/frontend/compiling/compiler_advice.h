// What to try when a file does not compile: a header that lies elsewhere or that the build makes, a Fortran module that
// none of the files has.
#pragma once

#include <string>

namespace faultline::frontend {

// The line of the compiler's messages that says what is wrong first.
std::string first_error(const std::string& messages);

// Headers are looked for in the folder of the file and below it, and beside that folder.
std::string compiler_advice(const std::string& messages, const std::string& file);

} // namespace faultline::frontend
