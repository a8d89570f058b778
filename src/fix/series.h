// Series: polynomials that stand for a function near a point, with a proved remainder.
//
// The function is a term that depends on one argument only, which may be any part: a * x in exp(a * x) - 1 - a * x. Its
// Taylor (or Laurent) expansion is computed with balls, as a model: coefficients, and a ball that holds the remainder
// divided by the next power for all arguments up to the radius. So a common power of numerator and denominator cancels,
// and (x - sin(x)) / x^3 has a model at 0.
#pragma once

#include "fix/candidates.h"
#include "fix/forms.h"

#include <vector>

namespace faultline::fix {

struct Series {
  Term function;   // what it stands for
  Term polynomial; // in the argument
  Term argument;
  mpq_class center = 0;
  Value radius = 0;     // |argument - center| is smaller
  double remainder = 0; // bound of |polynomial - function| / |function|, the coefficients' rounding included
  bool proved = false;

  // Short ones (1, x, x / 2) may occur in other terms by chance: they stand for a whole expression only.
  bool is_short() const;
  bool covers(const Point& point, Format format) const;
};

// Series of the function in the argument, with several radii. Empty if it has none.
std::vector<Series> series_of(const Term& function, const Term& argument, const mpq_class& center, Format format);

// Series of the term and of its parts.
std::vector<Series> all_series(const Term& term, Format format);

// True if the term is the polynomial, or has it as a part.
bool uses(const Term& term, const Series& series);

} // namespace faultline::fix
