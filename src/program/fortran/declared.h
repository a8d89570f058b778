// Fortran code of a harness: declarations, indices, loops.
#pragma once

#include "model/target.h"
#include "program/fortran/procedure.h"
#include "program/harness_note.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::program {

std::string listed(const std::vector<std::string>& items); // "a, b"

// Returns the declaration of a dummy argument: "real(8), intent(in) :: x(1_8:3_8)". With `any_shape`, arrays whose
// shape is not part of the interface are declared x(*), since their bounds may use unknown names.
std::string declared_dummy(const FortranEntity& dummy, bool any_shape);

// Declares all of them, one per line, scalars first: bounds may depend on these.
std::string declared_dummies(const std::vector<FortranEntity>& dummies, bool any_shape, const std::string& indent);

// 'it''s'
std::string fortran_text(const std::string& text);

std::vector<std::string> texts_of(const std::vector<uint64_t>& extents);
// x, x(3), x(i1,i2)
std::string at(const std::string& name, const std::vector<std::string>& subscripts);

// Writes a line for every element; `line` gets the subscripts i1, i2, ...
std::string in_loops(const std::vector<std::string>& extents, const std::string& indent,
                     const std::function<std::string(const std::vector<std::string>&)>& line);

// The numbers of a derived type: p%x, p%to(1)%x.

// The numbers of one component, and all its places: %to(1)%x and %to(2)%x.
struct FortranComponent {
  std::string name;  // to_x
  std::string shown; // %to%x
  FortranType type;
  std::vector<std::string> places; // after the variable
  size_t rank = 0;                 // of an allocatable array, whose size is free; otherwise 0
};

// Throws std::invalid_argument with the reason if a value of this type cannot be made from numbers and texts. Does not
// set procedure pointers.
std::vector<FortranComponent> components_of(const FortranType& type, const FortranNames& names,
                                            const FortranScope& where);

// Parameters of a Fortran harness that hold the numbers of a variable: the code that fills the variable, the code that
// copies the numbers back, and their names for the user.
struct FortranNumbers {
  std::string parameter;                  // of the harness
  std::string variable;                   // the variable of the numbers: z_value, p_value%v
  FortranType type;                       // of one number: complex numbers have two parts, logical ones are integers
  std::vector<std::string> places = {""}; // after an element of the variable: %x
  std::vector<uint64_t> extents = {};
  std::vector<int64_t> first = {}; // lower bounds
  bool read = true, written = false;
  bool as_float = false;   // so that it is judged: a decision changed by rounding is a finding
  bool may_differ = false; // in its extents, since the procedure allocates it

  std::string of;                                 // z, p%x
  std::string before;                             // z, p, p%v: the text before the subscripts
  std::vector<std::string> declared_lengths = {}; // n of z(n)

  std::string declaration() const;
  std::string filled(const std::string& indent) const;
  std::string taken(const std::string& indent) const;
  NamedParameter named() const;

private:
  size_t parts() const { return type.kind == FortranKind::complex ? 2 : 1; }
  std::string number(size_t part, const std::vector<std::string>& subscripts) const;
};

// The extents of the arrays of a Fortran procedure: from declarations, from --size, and from both together. For x(n)
// and y(n), one size is enough.
class FortranExtents {
public:
  FortranExtents(const FortranProcedure& procedure, const model::Sizes& given);

  // Returns nothing if the extents are free. Throws std::invalid_argument if the given sizes do not fit.
  std::optional<std::vector<uint64_t>> of(const FortranEntity& array) const;
  std::optional<std::vector<uint64_t>> of(const std::string& name, size_t rank) const; // only what --size gives
  // The extents of an array that the procedure allocates: as given, or those of the longest input.
  std::vector<uint64_t> of_made(const FortranEntity& array, const std::string& name) const;

private:
  const model::Sizes& given_;
  std::map<std::string, uint64_t> known_; // by the text of the bounds
  uint64_t longest_ = 0;
};

// An array of free length: not an error, since --size can give it.
struct FreeLength {
  std::string text;
};

// "'x' is an array whose length is free, and needs a size: --size x=NxM"
std::string needs_size(const std::string& name, size_t rank);

// The lower bounds for the user: 1, unless the declaration has others.
std::vector<int64_t> first_subscripts(const FortranEntity& array, size_t rank);

} // namespace faultline::program
