// The options of clang and flang, as their drivers parse them: the table is clang's own. A decision about an option is
// about what the compiler sees, never about how a word begins: `-isystem-after` is not `-isystem` with a value, and
// takes the next word.
//
// Rejected: linking clang's library for its copy of the table. It takes longer to load than a small file to compile.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::program {

enum class Compilers : uint8_t { clang = 1, flang = 2, both = 3 };

struct CompilerOption {
  enum class Shape : uint8_t {
    unknown,    // to these compilers
    input,      // a file, not an option
    incomplete, // the last word, without its value
    alone,      // -pipe
    joined,     // -O2, -IDIR and -I DIR: canonically in one word
    separate,   // -Xclang VALUE
    list,       // -Wp,A,B
    other,      // values in several ways
  };
  Shape shape = Shape::unknown;
  std::string name; // without aliases: -I for --include-directory; the word if it is no option
  std::vector<std::string> values;
  std::vector<std::string> words;       // as given
  std::vector<std::string_view> groups; // innermost first
};

// Parses the option that begins at a word. `words` have no zero bytes, which end them for the compilers.
CompilerOption read_option(const std::vector<std::string>& words, size_t at, Compilers compilers);

// Returns the words of an option that is alone, joined or separate, in the form in which they depend least on their
// neighbours: with a value in the same word if there is such a form.
std::vector<std::string> canonical_words(const CompilerOption& option);

// Returns the names of all options that these compilers know.
std::vector<std::string> all_options(Compilers compilers);

} // namespace faultline::program
