#include "solve/real/polynomial_held.h"

#include <arb.h>
#include <arb_fmpz_poly.h>
#include <flint/fmpq.h>

#include <algorithm>

namespace faultline::solve {

using Held = Polynomial::Held;

BigFloat power_of_two(long exponent) {
  BigFloat result = real_number(1);
  mpfr_mul_2si(result.raw(), result.raw(), exponent, MPFR_RNDN);
  return result;
}

int sign_at(const fmpz* coefficients, slong length, const BigFloat& x) {
  arb_t point, value;
  arb_init(point);
  arb_init(value);
  arf_set_mpfr(arb_midref(point), x.raw());
  int sign = 0;
  for (const slong precision : {slong(64), slong(256), slong(2048), slong(ARF_PREC_EXACT)}) {
    _arb_fmpz_poly_evaluate_arb_horner(value, coefficients, length, point, precision);
    if (!arb_contains_zero(value) || precision == slong(ARF_PREC_EXACT)) {
      sign = arf_sgn(arb_midref(value));
      break;
    }
  }
  arb_clear(point);
  arb_clear(value);
  return sign;
}

namespace {

void set_rational(fmpq_t result, const BigFloat& value) {
  mpz_t mantissa;
  mpz_init(mantissa);
  fmpq_zero(result);
  if (!value.is_zero()) {
    const long exponent = mpfr_get_z_2exp(mantissa, value.raw());
    fmpz_set_mpz(fmpq_numref(result), mantissa);
    if (exponent >= 0)
      fmpq_mul_2exp(result, result, ulong(exponent));
    else
      fmpq_div_2exp(result, result, ulong(-exponent));
  }
  mpz_clear(mantissa);
}

template <class Fill>
Polynomial made(Fill fill) {
  auto held = std::make_shared<Held>();
  fill(held->value);
  return Polynomial(std::move(held));
}

} // namespace

Polynomial::Polynomial() {
  static thread_local const auto zero = std::make_shared<const Held>();
  held_ = zero;
}

Polynomial Polynomial::constant(const BigFloat& finite) {
  fmpq_t value;
  fmpq_init(value);
  set_rational(value, finite);
  Polynomial result = made([&](fmpq_poly_t held) { fmpq_poly_set_fmpq(held, value); });
  fmpq_clear(value);
  return result;
}

Polynomial Polynomial::identity() {
  return made([](fmpq_poly_t held) { fmpq_poly_set_coeff_si(held, 1, 1); });
}

int Polynomial::degree() const { return int(fmpq_poly_degree(held_->value)); }

size_t Polynomial::height() const {
  const slong bits = _fmpz_vec_max_bits(fmpq_poly_numref(held_->value), fmpq_poly_length(held_->value));
  return std::max(size_t(std::abs(bits)), size_t(fmpz_bits(fmpq_poly_denref(held_->value))));
}

bool Polynomial::is_identity() const { return *this == identity(); }

int Polynomial::sign_at(const BigFloat& finite) const {
  return solve::sign_at(fmpq_poly_numref(held_->value), fmpq_poly_length(held_->value), finite);
}

BigFloat Polynomial::value() const {
  BigFloat result = real_number(0);
  if (is_zero())
    return result;
  mpz_t numerator, denominator;
  mpz_init(numerator);
  mpz_init(denominator);
  fmpz_get_mpz(numerator, fmpq_poly_numref(held_->value));
  fmpz_get_mpz(denominator, fmpq_poly_denref(held_->value));
  mpq_t quotient;
  mpq_init(quotient);
  mpq_set_num(quotient, numerator);
  mpq_set_den(quotient, denominator);
  mpfr_set_q(result.raw(), quotient, MPFR_RNDN);
  mpq_clear(quotient);
  mpz_clear(numerator);
  mpz_clear(denominator);
  return result;
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  return made([&](fmpq_poly_t held) { fmpq_poly_add(held, a.held().value, b.held().value); });
}
Polynomial operator-(const Polynomial& a, const Polynomial& b) {
  return made([&](fmpq_poly_t held) { fmpq_poly_sub(held, a.held().value, b.held().value); });
}
Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  return made([&](fmpq_poly_t held) { fmpq_poly_mul(held, a.held().value, b.held().value); });
}
bool operator==(const Polynomial& a, const Polynomial& b) {
  return fmpq_poly_equal(a.held().value, b.held().value) != 0;
}

Polynomial Polynomial::divided_by(const Polynomial& divisor) const {
  return made([&](fmpq_poly_t held) { fmpq_poly_div(held, held_->value, divisor.held_->value); });
}

Polynomial Polynomial::common_divisor(const Polynomial& a, const Polynomial& b) {
  return made([&](fmpq_poly_t held) { fmpq_poly_gcd(held, a.held_->value, b.held_->value); });
}

} // namespace faultline::solve
