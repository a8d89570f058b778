// TOML files, by the library toml++: the only header that includes it.
//
// The library asserts what a malformed file can violate ("y = [0, }"), and in a release build assumes it. Here its
// assertions throw, so that such a file is refused like any other. And it destroys tables in tables by recursion, so
// the depth has to be limited before it reads: that of values here, that of keys (a.b.c) in read_toml.
#pragma once

namespace faultline::cli {
struct Violated {}; // an assertion of the library
[[noreturn]] inline void violated() { throw Violated(); }
} // namespace faultline::cli

#undef NDEBUG // or there are none
#define TOML_ASSERT(condition) ((condition) ? void() : ::faultline::cli::violated())
#define TOML_MAX_NESTED_VALUES 16 // a setting has three levels: size = { A = [4, 4] }
#include <toml++/impl/preprocessor.h>
// Of the space it takes letters for (U+00A1 to U+0499) it believes that there are none.
#undef TOML_UNREACHABLE
#define TOML_UNREACHABLE ::faultline::cli::violated()
#include <toml++/toml.h>

#include <string>

namespace faultline::cli {

// Throws UserError: no such file, too large, nested too deep, or not TOML (with the place).
toml::table read_toml(const std::string& path);

} // namespace faultline::cli
