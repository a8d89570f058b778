// How a path from debug information is shown: relative to the current folder if it lies below it, else as it is.
#pragma once

#include <string>

namespace faultline::frontend {

std::string shown_path(const std::string& directory, const std::string& file);

} // namespace faultline::frontend
