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
  size_t loops = 0;          // one in another, at most

  std::string whole(const FortranProcedure& procedure, const std::string& name) const;
};

} // namespace faultline::frontend
