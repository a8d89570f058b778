// FPCore's text in lines that people can read.
#pragma once

#include <string>

namespace faultline::frontend::fpcore {

// The same words; lists that do not fit in a line have their parts below each other.
std::string laid_out(const std::string& text);

} // namespace faultline::frontend::fpcore
