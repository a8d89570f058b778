// Inputs as a test file that calls the function: for GoogleTest (.cpp), or plain C with a main (.c).
//
// A test passes as long as the function gives what it gave when the file was written, up to a few ulps. The function is
// declared by its symbol, so the file needs none of the project's headers and works for C, C++ and Fortran alike: link
// it with the code under test. Pointers point into a block of bytes that is filled before the call.
#pragma once

#include "campaign/cover.h"

#include <string>

namespace faultline::report {

// Why no call of this function can be written; empty if one can.
std::string no_test_reason(const frontend::Target& target);

std::string test_file_cpp(const campaign::CoverReport& report);
std::string test_file_c(const campaign::CoverReport& report);

} // namespace faultline::report
