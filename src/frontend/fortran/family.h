// Functions that stand for a procedure argument: u * u - 2, sin(u) and 1.
//
// Of a subroutine, the first array of floats is u, and what else may be written gets the member's values: vectors
// element by element, matrices the Jacobian of that. So a solver of equations (MINPACK's fcn) has equations that it can
// solve. Integers are left alone.
#pragma once

#include "frontend/fortran/procedure.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace faultline::frontend {

struct FamilyMember {
  const char *name, *meaning; // sine, sin(x)
  const char *value, *slope;  // as code, at at_
};
std::span<const FamilyMember> family_members();

// The interface that a dummy procedure without one is called by: arrays have the extents that the caller declares, as
// far as these are made of what it passes.
FortranProcedure called_interface(const FortranEntity& dummy, const std::vector<FortranWords>& arguments,
                                  const FortranScope& caller);

// Their code, each named `prefix` and _ and its name. Throws std::invalid_argument with the reason if
// there is none.
std::string family_text(const FortranProcedure& interface, const std::string& prefix);

} // namespace faultline::frontend
