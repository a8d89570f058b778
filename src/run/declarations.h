// The places of a C or C++ source that say `double`: declarations, casts and sizes. Each can be edited to say `float`.
//
// The text is read as tokens, without a parser: what does not compile after an edit is found by the compiler
// (run/narrowed_sources.h). `double` in comments, strings and `long double` is none of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace faultline::run {

struct Declaration {
  enum class Kind : uint8_t {
    object, // variables, parameters, fields, results of functions
    type,   // typedef, using, #define
    cast,   // has no name: goes with the names on its line
    size,   // sizeof: as a cast
  };
  Kind kind = Kind::object;
  std::string file; // absolute
  int line = 0;
  size_t offset = 0, length = 0; // of the type's name
  std::vector<std::string> names;
  std::string owner = {};   // the function whose parameter it is
  bool is_indirect = false; // a pointer, a reference, an array, or an argument of a template
};

// A source as tokens: names, numbers, and single characters of all else.
struct Token {
  std::string text;
  size_t offset = 0;
  int line = 1;
};
std::vector<Token> tokens_of(const std::string& text);

// The declarations of a file, in order. `types` are names that typedefs give to double (double_types()).
std::vector<Declaration> declarations_in(const std::string& text, const std::string& file,
                                         const std::set<std::string>& types);

// Adds the names that the typedefs of a source give to double, or to one of `types`.
void add_double_types(const std::string& text, std::set<std::string>& types);

} // namespace faultline::run
