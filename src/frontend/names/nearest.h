// "Did you mean": the names that look most like a wrong one.
#pragma once

#include <string>
#include <vector>

namespace faultline::frontend {

// At most `most` of the names, nearest first, and only those that a typing error could have turned into `wrong`.
std::vector<std::string> nearest(const std::string& wrong, const std::vector<std::string>& names, size_t most = 3);

} // namespace faultline::frontend
