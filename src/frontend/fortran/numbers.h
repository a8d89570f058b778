// Parameters of a Fortran harness that hold the numbers of a variable: the code that fills the variable with them, the
// code that takes them out again, and what users call them.
#pragma once

#include "frontend/fortran/procedure.h"
#include "frontend/harness/harness_note.h"

#include <string>
#include <vector>

namespace faultline::frontend {

struct FortranNumbers {
  std::string parameter;                  // of the harness
  std::string variable;                   // that the numbers are of: z_value, p_value%v
  FortranType type;                       // of one of them: complex numbers are two parts, logical ones integers
  std::vector<std::string> places = {""}; // behind an element of the variable: %x
  std::vector<uint64_t> extents = {};
  std::vector<int64_t> first = {}; // subscripts, as users count them
  bool read = true, written = false;
  bool as_float = false;   // so that it is judged: a decision that rounding turns is a finding
  bool may_differ = false; // in its extents: it is made by the procedure

  std::string of;                                 // z, p%x
  std::string before;                             // z, p, p%v: what stands before the subscripts
  std::vector<std::string> declared_lengths = {}; // n of z(n)

  std::string declaration() const;
  std::string filled(const std::string& indent) const;
  std::string taken(const std::string& indent) const;
  NamedParameter named() const;

private:
  size_t parts() const { return type.kind == FortranKind::complex ? 2 : 1; }
  std::string number(size_t part, const std::vector<std::string>& subscripts) const;
};

} // namespace faultline::frontend
