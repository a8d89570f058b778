// Integers that say how long an array is: n, len, rows, lda. They are not searched, but held at what --size says.
//
// Which array an integer belongs to is told, in this order, by the declarations (x(n), a[n][m]: see
// frontend/types/declared_extents.h), by its name (lda, lr and nx belong to a, r and x; rows and columns to the first
// matrix), and by its place: the next array behind it that has no length of its own. Where arrays of other sizes are
// about, the last is a guess, which the user is told.
#pragma once

#include "finding/settings/settings.h"
#include "frontend/target.h"

#include <optional>
#include <string>

namespace faultline::judge {

struct Length {
  uint64_t value = 0;
  std::string array;   // the one that it belongs to; empty: a stride, which is 1
  bool certain = true; // told by a declaration or a name, or the same for all arrays
};

// None: the integer is no length of an array.
std::optional<Length> length_of(const frontend::Cell& cell, const frontend::Target& target);

// "n is held at 3, the size of diag; --hold n=N says otherwise": of those that are not certain and that nobody has set.
// Empty: there is none.
std::string guessed_lengths(const frontend::Target& target, const finding::Settings& settings);

} // namespace faultline::judge
