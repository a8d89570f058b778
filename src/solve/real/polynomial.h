// Polynomials in one unknown with rational coefficients, exact. FLINT's fmpq_poly behind a value type: copies share.
#pragma once

#include "numeric/bigfloat.h"

#include <memory>

namespace faultline::solve {

using numeric::BigFloat;

// Ends of intervals, and roots, are known to this many bits: more than any format has, and room for what rounds.
inline constexpr mpfr_prec_t real_precision = 160;

// A number of that precision.
inline BigFloat real_number(long double value) { return BigFloat(value, real_precision); }
BigFloat power_of_two(long exponent);

class Polynomial {
public:
  struct Held;

  Polynomial(); // zero
  explicit Polynomial(std::shared_ptr<const Held> held) : held_(std::move(held)) {}
  static Polynomial constant(const BigFloat& finite);
  static Polynomial identity();

  bool is_zero() const { return degree() < 0; }
  bool is_constant() const { return degree() < 1; }
  int degree() const;    // -1 of zero
  size_t height() const; // bits of the largest coefficient, numerators and the common denominator
  bool is_identity() const;

  int sign_at(const BigFloat& finite) const; // exact
  BigFloat value() const;                    // of a constant, rounded to real_precision

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
  friend bool operator==(const Polynomial& a, const Polynomial& b);
  // By one that divides it, and is not zero.
  Polynomial divided_by(const Polynomial& divisor) const;
  static Polynomial common_divisor(const Polynomial& a, const Polynomial& b);

  const Held& held() const { return *held_; }

private:
  std::shared_ptr<const Held> held_;
};

} // namespace faultline::solve
