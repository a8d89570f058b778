// The text of a Fortran harness, put together from its parts.
#pragma once

#include "frontend/fortran/procedure.h"

#include <string>
#include <vector>

namespace faultline::frontend {

struct FortranHarnessText {
  static const std::string indent; // of the lines in the parts

  std::vector<std::string> parameters = {}; // names
  std::string declarations = {}, locals = {}, before = {}, call = {}, after = {};
  std::string families = {}; // the procedures that are passed
  std::string result = {};   // the type of `returned`, if the harness is a function
  size_t loops = 0;          // one in another, at most

  std::string whole(const FortranProcedure& procedure, const std::string& name) const;
};

// For a procedure that nobody can call for its user: where to write what is missing.
std::string harness_skeleton(const FortranProcedure& procedure, const std::string& name);

} // namespace faultline::frontend
