// How many elements the arrays of a Fortran procedure have: what the declaration says, what --size says, and what
// follows from both: of x(n) and y(n) one size is enough.
#pragma once

#include "frontend/fortran/procedure.h"
#include "frontend/target.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::frontend {

class FortranExtents {
public:
  FortranExtents(const FortranProcedure& procedure, const Sizes& given);

  // Nothing: it is free. Throws std::invalid_argument if what is given does not fit.
  std::optional<std::vector<uint64_t>> of(const FortranEntity& array) const;
  std::optional<std::vector<uint64_t>> of(const std::string& name, size_t rank) const; // given, and no more
  // Of an array that the procedure itself makes: given, or as long as the longest that goes in.
  std::vector<uint64_t> of_made(const FortranEntity& array, const std::string& name) const;

private:
  const Sizes& given_;
  std::map<std::string, uint64_t> known_; // by the bounds' text
  uint64_t longest_ = 0;
};

// An array of free length: not a reason to give up, but to ask.
struct FreeLength {
  std::string text;
};

// "'x' is an array whose length is free, and needs a size: --size x=NxM"
std::string needs_size(const std::string& name, size_t rank);

// As users count the elements: from 1, if the declaration does not say otherwise.
std::vector<int64_t> first_subscripts(const FortranEntity& array, size_t rank);

} // namespace faultline::frontend
