// Arguments of a Fortran harness that are no numbers, and that a number chooses: a text, a procedure.
#pragma once

#include "frontend/harness/harness_note.h"

#include <string>
#include <vector>

namespace faultline::frontend {

struct FortranChoice {
  std::string parameter;             // of the harness: 0, 1, ...; others mean 0, too
  std::vector<std::string> meanings; // 'U', sin(x)

  std::string declaration() const;
  NamedParameter named() const;
  std::string explained() const; // "uplo: 0 is 'U', 1 is 'L'"
  std::string made(const std::vector<std::string>& statements, const std::string& indent) const; // one for each
};

} // namespace faultline::frontend
