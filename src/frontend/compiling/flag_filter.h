// Compiler flags that were found in a file, made safe to use: reading data must run nothing and write nothing, and to
// compile with flags of somebody else's choice is to let him choose what the compiler does (flag_rules.h).
#pragma once

#include <string>
#include <vector>

namespace faultline::frontend {

enum class Trust : bool { no, yes }; // --trust-flags

// Those of the flags that are to be used, in their order. `file` is where they stand, for the message. Throws UserError
// that names the first flag that is not taken from a file that is not trusted; from a trusted one all are taken that
// can matter.
std::vector<std::string> flags_from_file(const std::vector<std::string>& flags, const std::string& file, Trust trust);

} // namespace faultline::frontend
