// A script from a file, or from standard input if the file is "-".
#pragma once

#include "constraint/smtlib/reader.h"

namespace faultline::constraint {

inline constexpr size_t most_script_bytes = size_t{256} << 20;

// Throws frontend::UserError: there is no such file, it is too large, or read_smtlib refuses it.
Script load_smtlib(const std::string& file);

} // namespace faultline::constraint
