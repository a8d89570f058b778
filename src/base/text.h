// Text of unknown origin on a terminal, in comments and in messages.
#pragma once

#include <string>
#include <string_view>

namespace faultline::base {

// Returns one line of text without the characters that change a terminal's state or the order in which text is shown:
// control characters (also those above U+0080, which some terminals take for escape sequences), marks of direction
// (which can make code look like other code), separators of lines, and bytes that are not UTF-8. Each becomes a
// question mark, a tabulator becomes a blank, and a carriage return is removed.
std::string printable(std::string_view text);

} // namespace faultline::base
