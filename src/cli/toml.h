// TOML files, by the library toml++: the only header that includes it.
//
// The library asserts what a malformed file can violate ("y = [0, }"), and in a release build assumes it. Here its
// assertions throw, so that such a file is refused like any other.
#pragma once

namespace faultline::cli {
struct Violated {}; // an assertion of the library
[[noreturn]] inline void violated() { throw Violated(); }
} // namespace faultline::cli

#undef NDEBUG // or there are none
#define TOML_ASSERT(condition) ((condition) ? void() : ::faultline::cli::violated())
#include <toml++/toml.h>

#include <string>

namespace faultline::cli {

// Throws UserError: no such file, too large, or not TOML (with the place).
toml::table read_toml(const std::string& path);

} // namespace faultline::cli
