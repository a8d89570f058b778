// Words of a stranger's file in a message.
#pragma once

#include <string>
#include <string_view>

namespace faultline::frontend {

// Short, printable, in quotes.
std::string shown(std::string_view text);

} // namespace faultline::frontend
