// A symbol of the linker as people write it: C++'s and Rust's demangled and without parameters, Fortran's without its
// underscore or its module.
#pragma once

#include <string>

namespace faultline::frontend {

std::string shown_symbol(const std::string& symbol);

} // namespace faultline::frontend
