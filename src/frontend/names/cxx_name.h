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

} // namespace faultline::frontend
