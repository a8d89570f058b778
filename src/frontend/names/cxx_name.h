// The name of a C++ function as people say it: without what it returns, without its parameters.
#pragma once

#include <string>

namespace faultline::frontend {

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

} // namespace faultline::frontend
