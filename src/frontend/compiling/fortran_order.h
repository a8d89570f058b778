// Fortran files in the order in which they can be compiled: who defines a module comes before who uses it.
#pragma once

#include <string>
#include <vector>

namespace faultline::frontend {

struct FortranOrder {
  std::vector<std::string> files;   // the Fortran files in the places of the Fortran files, as they are given otherwise
  std::vector<std::string> remarks; // on files that need each other
};

// Files that cannot be read are left where they are: the compiler tells why.
FortranOrder in_order_of_modules(const std::vector<std::string>& files);

} // namespace faultline::frontend
