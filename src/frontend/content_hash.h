// A hash of a file's content.
#pragma once

#include <string>

namespace faultline::frontend {

// SHA-256, as 64 hexadecimal digits. Throws UserError if the file cannot be read.
std::string content_hash(const std::string& file);

} // namespace faultline::frontend
