// What is behind a Polynomial, and its multiple with integer coefficients. Only polynomial.cpp, roots.cpp and
// refined_root.cpp know FLINT.
#pragma once

#include "solve/real/polynomial.h"

#include <flint/fmpq_poly.h>
#include <flint/fmpz_poly.h>

#include <cstdlib>

namespace faultline::solve {

struct Polynomial::Held {
  Held() { fmpq_poly_init(value); }
  ~Held() { fmpq_poly_clear(value); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;

  fmpq_poly_t value;
};

// The sign at a finite number, decided by ball arithmetic of growing precision and in the end exactly.
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

} // namespace faultline::solve
