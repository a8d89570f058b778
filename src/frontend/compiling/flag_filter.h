// Makes compiler flags from files safe to use. Reading data must not run or write anything, but foreign flags can make
// the compiler do both.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::frontend {

enum class Trust : bool { no, yes }; // --trust-flags

// Returns the flags to use, in their order. `file` is where they come from, for the message. From an untrusted file,
// throws UserError that names the first flag that is not accepted; from a trusted one, accepts all relevant flags.
std::vector<std::string> flags_from_file(const std::vector<std::string>& flags, const std::string& file, Trust trust);

// For a second compilation of a build's sources: the flags are the user's own, but many are another compiler's.
struct BuildFlags {
  std::vector<std::string> taken;
  std::vector<std::string> left_out; // relevant flags that our compilers may not support
};
BuildFlags flags_of_build(const std::vector<std::string>& flags);

// The table of compiler flags that a file may set. A findings file, a job, a faultline.toml or a compilation database
// is data and may come from anywhere. A flag can load a plugin into the compiler (-fplugin=), run another program (-B),
// or write a file (-ftime-trace=, -Wp,-MD). So a flag is accepted only if this table has it:
//
//   keep   it selects the language, headers, macros, optimisation, features of the machine, the model of floating-point
//          arithmetic, or debug information. It may name files to read, as any #include may
//   drop   it cannot matter to bitcode: warnings, dependencies, names of outputs, what is for the linker
//   refuse everything else. Flags that are refused by name are here so that the words after them are not misread
//
// Clang and flang parse a word as the longest option that it begins with, and so does this table. A word that the table
// takes for the value of the preceding flag is a value for the compilers, too.
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

// Returns the rule for a word; unknown words are refused.
FlagRule rule_for(std::string_view word);

} // namespace faultline::frontend
