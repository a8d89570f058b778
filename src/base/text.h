// Text on a terminal, in comments and in messages.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace faultline::base {

struct Character {
  size_t bytes = 1; // 1 for a byte that is not UTF-8
  uint32_t code = 0xFFFD;
};

// Decodes the first character.
Character first_character(std::string_view text);

// Returns one line of text without the characters that change a terminal's state or the order in which text is shown:
// control characters (also those above U+0080, which some terminals take for escape sequences), marks of direction
// (which can make code look like other code), separators of lines, and bytes that are not UTF-8. Each becomes a
// question mark, a tabulator becomes a blank, and a carriage return is removed.
std::string printable(std::string_view text);

std::string counted(uint64_t count, std::string_view noun); // 1 error, 2 errors, 2 boxes
std::string first_line(const std::string& text);
std::string_view trimmed(std::string_view text); // without blanks at its ends

} // namespace faultline::base
