// Rational functions of one unknown, in lowest terms, and where they take given values (Ariadne's Algorithm 5).
#pragma once

#include "solve/real/budget.h"
#include "solve/real/real_set.h"

#include <optional>

namespace faultline::solve {

struct RationalFunction {
  Polynomial numerator;
  Polynomial denominator = Polynomial::constant(real_number(1)); // never zero

  static RationalFunction constant(const BigFloat& finite) { return {Polynomial::constant(finite)}; }
  static RationalFunction identity() { return {Polynomial::identity()}; }

  bool is_constant() const { return numerator.is_constant() && denominator.is_constant(); }
  bool is_identity() const { return denominator.is_constant() && numerator.is_identity(); }
  BigFloat value() const; // of a constant, rounded to real_precision
};

// Each of these has a limit of degree and height, and charges what it costs. Nothing beyond, when the budget is over,
// or for a division by zero.
using MaybeRational = std::optional<RationalFunction>;
MaybeRational sum(const RationalFunction& a, const RationalFunction& b, Budget& budget);
MaybeRational difference(const RationalFunction& a, const RationalFunction& b, Budget& budget);
MaybeRational product(const RationalFunction& a, const RationalFunction& b, Budget& budget);
MaybeRational quotient(const RationalFunction& a, const RationalFunction& b, Budget& budget);
MaybeRational power(const RationalFunction& a, int exponent, Budget& budget);

// Where the function has a value, and it is in `target`. Poles are outside.
std::optional<RealSet> where_in(const RationalFunction& function, const RealSet& target, Budget& budget);
std::optional<RealSet> poles(const RationalFunction& function, Budget& budget);

} // namespace faultline::solve
