// Fortran as a harness writes it: declarations, indices, loops.
#pragma once

#include "frontend/fortran/procedure.h"
#include "frontend/harness_note.h"
#include "frontend/target.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::frontend {

std::string listed(const std::vector<std::string>& items); // "a, b"

// "real(8), intent(in) :: x(1_8:3_8)": the declaration of a dummy argument. `any_shape`: arrays whose shape is no part
// of the interface are x(*), as what their bounds are made of may not be known where they are declared again.
std::string declared_dummy(const FortranEntity& dummy, bool any_shape);

// Those of all, scalars first: bounds are made of these. Each is a line.
std::string declared_dummies(const std::vector<FortranEntity>& dummies, bool any_shape, const std::string& indent);

// 'it''s'
std::string fortran_text(const std::string& text);

std::vector<std::string> texts_of(const std::vector<uint64_t>& extents);
// x, x(3), x(i1,i2)
std::string at(const std::string& name, const std::vector<std::string>& subscripts);

// A line for every element: `line` gets the subscripts, i1, i2, ...
std::string in_loops(const std::vector<std::string>& extents, const std::string& indent,
                     const std::function<std::string(const std::vector<std::string>&)>& line);

// The numbers of a derived type: p%x, p%to(1)%x.

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

// Parameters of a Fortran harness that hold the numbers of a variable: the code that fills the variable with them, the
// code that takes them out again, and what users call them.
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

// How many elements the arrays of a Fortran procedure have: what the declaration says, what --size says, and what
// follows from both: of x(n) and y(n) one size is enough.
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
