// A formula as a test writes it once, to be evaluated in a machine format and, independently of the code under test, in
// exact-enough real numbers.
#pragma once

#include "numeric/bigfloat.h"

#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace faultline::test {

class Real {
public:
  static constexpr long precision = 400;
  Real(long double value = 0) : value_(value, precision) {}

  friend Real operator+(const Real& a, const Real& b) { return binary<mpfr_add>(a, b); }
  friend Real operator-(const Real& a, const Real& b) { return binary<mpfr_sub>(a, b); }
  friend Real operator*(const Real& a, const Real& b) { return binary<mpfr_mul>(a, b); }
  friend Real operator/(const Real& a, const Real& b) { return binary<mpfr_div>(a, b); }
  friend Real operator-(const Real& a) { return unary<mpfr_neg>(a); }
  friend bool operator<(const Real& a, const Real& b) { return a.value_ < b.value_; }
  friend Real sqrt(const Real& a) { return unary<mpfr_sqrt>(a); }
  friend Real sin(const Real& a) { return unary<mpfr_sin>(a); }
  friend Real cos(const Real& a) { return unary<mpfr_cos>(a); }
  friend Real exp(const Real& a) { return unary<mpfr_exp>(a); }
  friend Real trunc(const Real& a) {
    Real result;
    mpfr_trunc(result.value_.raw(), a.value_.raw());
    return result;
  }

  const numeric::BigFloat& big() const { return value_; }

private:
  template <auto operation> static Real binary(const Real& a, const Real& b) {
    Real result;
    operation(result.value_.raw(), a.value_.raw(), b.value_.raw(), MPFR_RNDN);
    return result;
  }
  template <auto operation> static Real unary(const Real& a) {
    Real result;
    operation(result.value_.raw(), a.value_.raw(), MPFR_RNDN);
    return result;
  }

  numeric::BigFloat value_;
};

// Rounding to float in the middle of a formula: real numbers do not round.
inline double rounded_to_float(double value) { return double(float(value)); }
inline long double rounded_to_float(long double value) { return float(value); }
inline Real rounded_to_float(const Real& value) { return value; }
inline double rounded_to_double(double value) { return value; }
inline long double rounded_to_double(long double value) { return double(value); }
inline Real rounded_to_double(const Real& value) { return value; }

struct Formula {
  std::function<long double(const std::vector<long double>&)> native;
  std::function<Real(const std::vector<long double>&)> exact;
};

// `formula` takes a vector of T, for T = Machine and T = Real.
template <typename Machine, typename Generic> Formula formula(Generic formula) {
  return {[formula](const std::vector<long double>& x) -> long double {
            return formula(std::vector<Machine>(x.begin(), x.end()));
          },
          [formula](const std::vector<long double>& x) { return formula(std::vector<Real>(x.begin(), x.end())); }};
}

// Do two numbers agree in (about) the first `bits` bits?
inline bool agree(const numeric::BigFloat& a, const numeric::BigFloat& b, long bits) {
  if (a.is_nan() || b.is_nan())
    return a.is_nan() && b.is_nan();
  if (a == b)
    return true;
  numeric::BigFloat difference(bits + 64), bound(bits + 64);
  mpfr_sub(difference.raw(), a.raw(), b.raw(), MPFR_RNDN);
  mpfr_mul_2si(bound.raw(), b.raw(), -bits, MPFR_RNDN);
  return mpfr_cmpabs(difference.raw(), bound.raw()) <= 0;
}

} // namespace faultline::test
