// The name of a Rust function as people say it: demo::stats::mean. Symbols have a hash at their end (the older way), or
// the hash of the crate in them (v0).
#pragma once

#include <string>

namespace faultline::frontend {

// Empty if the symbol is not Rust's.
std::string rust_name(const std::string& symbol);

} // namespace faultline::frontend
