// Rounding modes of a script: constants, variables and what is chosen between them.
//
// A mode is four Booleans, asked one after the other: is it RNE, else RNA, else RTP, else RTN; else it is RTZ. So a
// variable of sort RoundingMode is four Boolean variables, without a condition on them; and an operation in a mode that
// is not known becomes a choice between its five versions. No solver needs to know of modes that vary.
#pragma once

#include "constraint/system.h"

#include <functional>
#include <optional>

namespace faultline::constraint {

using numeric::Rounding;

struct Mode {
  std::array<Term, numeric::rounding_count - 1> tests = {};

  bool operator==(const Mode&) const = default;
};

Mode mode_constant(System& system, Rounding rounding);
Mode mode_variable(System& system, const std::string& name);
Mode choose(System& system, Term condition, const Mode& then, const Mode& otherwise);
Term same(System& system, const Mode& a, const Mode& b);

// What `make` gives for the mode that holds. It is asked for those alone that may.
Term by_mode(System& system, const Mode& mode, const std::function<Term(Rounding)>& make);

// Under the values of all terms.
Rounding mode_in(const Mode& mode, const std::vector<Bits>& values);

std::optional<Rounding> find_mode(std::string_view name); // RNE, or roundNearestTiesToEven
std::string_view name(Rounding rounding);                 // RNE

} // namespace faultline::constraint
