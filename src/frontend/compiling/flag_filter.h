// Compiler flags that were found in a file, made safe to use: reading data must run nothing and write nothing, and to
// compile with flags of somebody else's choice is to let him choose what the compiler does (flag_rules.h).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
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

// The compiler flags that a file may choose, as a table. A findings file, a job, a faultline.toml or a compilation
// database is data, and may come from anywhere; a flag can load a plugin into the compiler (-fplugin=), have it run
// another program (-B), or write a file (-ftime-trace=, -Wp,-MD). So a flag is taken if it stands in this table:
//
//   keep   it selects the language, headers, macros, optimisation, features of the machine, the model of floating-point
//          arithmetic, or debug information. It may name files to read, as any #include may
//   drop   it cannot matter to bitcode: warnings, dependencies, names of outputs, what is for the linker
//   refuse everything else. Flags that are refused by name are here so that the words after them are not misread
//
// Clang and flang read a word as the longest option that it begins with, and so does this table: a word that the table
// takes for the value of the flag before is one for the compilers, too.
enum class FlagUse : uint8_t { keep, drop, refuse };

enum class FlagShape : uint8_t {
  alone,    // -pipe
  joined,   // -O2: anything may follow in the same word
  separate, // -target NAME: the next word is its value
  either,   // -IDIR and -I DIR
};

struct FlagRule {
  std::string_view name;
  FlagShape shape;
  FlagUse use;
};

// The rule for a word; a rule to refuse it if there is none.
FlagRule rule_for(std::string_view word);

} // namespace faultline::frontend
