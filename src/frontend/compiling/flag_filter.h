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

// For a second compilation of what a build compiles: the flags are the user's own, but many are another compiler's.
struct BuildFlags {
  std::vector<std::string> taken;
  std::vector<std::string> left_out; // those that might matter, and that our compilers need not know
};
BuildFlags flags_of_build(const std::vector<std::string>& flags);

} // namespace faultline::frontend
