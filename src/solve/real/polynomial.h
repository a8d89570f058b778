// Exact polynomials in one unknown with rational coefficients: FLINT's fmpq_poly as a value type whose copies share
// data.
#pragma once

#include "numeric/bigfloat.h"
#include "solve/real/levels.h"

#include <cstdlib>
#include <flint/fmpq_poly.h>
#include <flint/fmpz_poly.h>
#include <memory>
#include <optional>
#include <vector>

namespace faultline::solve {

using numeric::BigFloat;

// The precision of roots and ends of intervals: more bits than any format has, with a reserve for roundings.
inline constexpr mpfr_prec_t real_precision = 160;

// Returns a number with that precision.
inline BigFloat real_number(numeric::Value value) { return BigFloat(value, real_precision); }
BigFloat power_of_two(long exponent);

class Polynomial {
public:
  struct Contents;

  Polynomial(); // zero
  explicit Polynomial(std::shared_ptr<const Contents> held) : held_(std::move(held)) {}
  static Polynomial constant(const BigFloat& finite);
  static Polynomial identity();

  bool is_zero() const { return degree() < 0; }
  bool is_constant() const { return degree() < 1; }
  int degree() const;    // -1 of zero
  size_t height() const; // bits of the largest coefficient, over numerators and the common denominator
  bool is_identity() const;

  int sign_at(const BigFloat& finite) const; // exact
  BigFloat value() const;                    // for a constant, rounded to real_precision

  friend Polynomial operator+(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator-(const Polynomial& a, const Polynomial& b);
  friend Polynomial operator*(const Polynomial& a, const Polynomial& b);
  friend bool operator==(const Polynomial& a, const Polynomial& b);
  // Division by a nonzero divisor of this polynomial.
  Polynomial divided_by(const Polynomial& divisor) const;
  static Polynomial common_divisor(const Polynomial& a, const Polynomial& b);

  const Contents& held() const { return *held_; }

private:
  std::shared_ptr<const Contents> held_;
};

// The data of a Polynomial, with its multiple with integer coefficients. Only polynomial.cpp uses FLINT.
struct Polynomial::Contents {
  Contents() { fmpq_poly_init(value); }
  ~Contents() { fmpq_poly_clear(value); }
  Contents(const Contents&) = delete;
  Contents& operator=(const Contents&) = delete;

  fmpq_poly_t value;
};

// Returns the sign at a finite number, by ball arithmetic of increasing precision and finally exactly.
int sign_at(const fmpz* coefficients, slong length, const BigFloat& x);

class Integers {
public:
  Integers() { fmpz_poly_init(value); }
  Integers(const Integers& other) : Integers() { fmpz_poly_set(value, other.value); }
  Integers& operator=(const Integers& other) {
    fmpz_poly_set(value, other.value);
    return *this;
  }
  ~Integers() { fmpz_poly_clear(value); }

  slong degree() const { return fmpz_poly_degree(value); }
  int sign_at(const BigFloat& x) const { return solve::sign_at(value->coeffs, value->length, x); }
  uint64_t limbs() const { return uint64_t(std::abs(fmpz_poly_max_bits(value))) / 64 + 1; }

  fmpz_poly_t value;
};

// Finds the real roots of a polynomial, each once, in ascending order, to real_precision bits.
//
// Isolation is exact: Descartes' rule of signs on the square-free part, by bisection with integer arithmetic (Collins
// and Akritas, 1976). Exponents are bisected before intervals: coefficients come from floats, and roots lie anywhere
// between 2^-1074 and 2^1024, where bisecting the interval itself would take a thousand steps. Rejected: Arb, which
// finds all complex roots (arb_fmpz_poly_complex_roots) and cannot be interrupted. With roots near 1 it takes 2 to 29
// times as long from degree 4 on, and 20 s instead of 0.2 ms for four roots between 1e-300 and 1e300.

// None if the budget ends first. The zero polynomial has no roots.
std::optional<std::vector<BigFloat>> real_roots(const Polynomial& polynomial, Budget& budget);

} // namespace faultline::solve
