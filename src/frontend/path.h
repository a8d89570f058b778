// How a path from debug information is shown: relative to the current folder if it lies below it, else as it is.
//
// A process that works for another one shows paths as that one does, from a folder that need not exist on its machine.
#pragma once

#include <string>

namespace faultline::frontend {

// From now on, in this process and its forks, this folder stands for the current one.
void show_paths_from(const std::string& folder);

std::string shown_path(const std::string& directory, const std::string& file);

} // namespace faultline::frontend
