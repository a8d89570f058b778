// Functions to pass for a procedure argument: u * u - 2, sin(u) and 1.
//
// For a subroutine, u is the first array of floats, and other arguments that may be written get the member's values:
// vectors element by element, matrices its Jacobian. So an equation solver (MINPACK's fcn) gets equations with a
// solution. Integers are not changed.
#pragma once

#include "program/fortran/procedure.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace faultline::program {

struct FamilyMember {
  const char *name, *meaning; // sine, sin(x)
  const char *value, *slope;  // as code, at at_
};
std::span<const FamilyMember> family_members();

// The interface of a dummy procedure that has no declared one, derived from a call. Arrays get the caller's extents if
// these only use arguments of the call.
FortranProcedure called_interface(const FortranEntity& dummy, const std::vector<FortranWords>& arguments,
                                  const FortranScope& caller);

// Returns the code of the functions, each named `prefix`, _ and its name. Throws std::invalid_argument with the reason
// if there is none.
std::string family_text(const FortranProcedure& interface, const std::string& prefix);

} // namespace faultline::program
