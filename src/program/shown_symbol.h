// A linker symbol as it is shown to the user: C++ and Rust demangled and without parameters, Fortran without its
// underscore or module.
#pragma once

#include <string>

namespace faultline::program {

std::string shown_symbol(const std::string& symbol);

// The name of a C++ function without its return type and parameters.
struct CxxName {
  std::string full;  // stats::expm1_over<double>
  std::string plain; // stats::expm1_over: without template arguments of its own or of enclosing classes
};

// Both names are empty if the symbol is not a C++ function's.
CxxName cxx_name(const std::string& symbol);

// Returns stats::ratio for stats::ratio<double>, and Poly::at for Poly<double>::at.
std::string without_template_arguments(const std::string& name);

// The name of a function in reports: without template arguments if it would be too long. Libraries pass policies from
// call to call, and a name of 400 characters makes its line unreadable.
std::string readable_name(const std::string& name);

// Returns the name of a Rust function without the hash: demo::stats::mean. Symbols end in a hash (legacy mangling) or
// contain the hash of the crate (v0). Empty if the symbol is not Rust's.
std::string rust_name(const std::string& symbol);

} // namespace faultline::program
