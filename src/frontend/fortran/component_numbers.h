// The numbers of a variable of a derived type: a parameter of the harness for each of its components.
#pragma once

#include "frontend/fortran/extents.h"
#include "frontend/fortran/numbers.h"

#include <string>
#include <vector>

namespace faultline::frontend {

struct ComponentNumbers {
  std::vector<FortranNumbers> all;
  std::string before; // what has to be done first: arrays are allocated, texts are blank
};

// `whole` is the variable. Throws FreeLength, and std::invalid_argument with the reason if some component cannot be
// made.
ComponentNumbers component_numbers(const FortranType& type, const FortranNumbers& whole, const FortranNames& names,
                                   const FortranScope& where, const FortranExtents& extents);

// Throws std::invalid_argument: real(16), real(2), ... are formats that no hunt can compute with.
void check_format(const FortranType& type);

} // namespace faultline::frontend
