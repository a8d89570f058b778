// Hashes of files' contents.
#pragma once

#include "model/target.h"

#include <string>
#include <string_view>
#include <vector>

namespace faultline::program {

// SHA-256, as 64 hexadecimal digits. Throws UserError if the file cannot be read.
std::string content_hash(const std::string& file);

// The same of a text.
std::string sha256_of(std::string_view content);

// MD5, as 32 hexadecimal digits, as in debug information.
std::string md5_of(std::string_view content);

// Returns the real paths of the targets' files that are what was compiled. A build may be far from its sources. As the
// author of the code knew their content, showing it reveals nothing, wherever they are.
std::vector<std::string> unchanged_files(const std::vector<model::Target>& targets);

} // namespace faultline::program
