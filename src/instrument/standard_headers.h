// The headers of the C and C++ standard libraries and of the compilers.
//
// Nobody looks for a fault in them: std::max, cabs and the vector intrinsics are words of the language, and what is
// inlined from there belongs to the line that says them. Other libraries lie under /usr/include, too (Boost, Eigen);
// their code is code like the user's, wherever it is installed.
#pragma once

#include <string_view>

namespace faultline::instrument {

// `path`: absolute, without ".." in it.
bool is_standard_header(std::string_view path);

} // namespace faultline::instrument
