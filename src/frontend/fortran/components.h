// The numbers of a derived type: p%x, p%to(1)%x.
#pragma once

#include "frontend/fortran/procedure.h"

#include <string>
#include <vector>

namespace faultline::frontend {

// Numbers of one component, with all the places that it has: %to(1)%x and %to(2)%x.
struct FortranComponent {
  std::string name;  // to_x
  std::string shown; // %to%x
  FortranType type;
  std::vector<std::string> places; // behind the variable
  size_t rank = 0;                 // of an allocatable array, whose size is free; otherwise 0
};

// Throws std::invalid_argument with the reason if a value of this type cannot be made from numbers and texts. Pointers
// to procedures are left as they are.
std::vector<FortranComponent> components_of(const FortranType& type, const FortranNames& names,
                                            const FortranScope& where);

} // namespace faultline::frontend
