// A symbol of the linker as people write it: C++'s and Rust's demangled and without parameters, Fortran's without its
// underscore or its module.
#pragma once

#include <string>

namespace faultline::frontend {

std::string shown_symbol(const std::string& symbol);

// The name of a C++ function as people say it: without what it returns, without its parameters.
struct CxxName {
  std::string full;  // stats::expm1_over<double>
  std::string plain; // stats::expm1_over: no template arguments, neither its own nor those of the classes it stands in
};

// Both empty if the symbol is not that of a C++ function.
CxxName cxx_name(const std::string& symbol);

// stats::ratio of stats::ratio<double>, and Poly::at of Poly<double>::at.
std::string without_template_arguments(const std::string& name);

// The name of a function as reports show it: without template arguments if it is too long to be read with them.
// Libraries hand their policies down from call to call, and a name of 400 characters hides the line it stands in.
std::string readable_name(const std::string& name);

// The name of a Rust function as people say it: demo::stats::mean. Symbols have a hash at their end (the older way), or
// the hash of the crate in them (v0).

// Empty if the symbol is not Rust's.
std::string rust_name(const std::string& symbol);

} // namespace faultline::frontend
