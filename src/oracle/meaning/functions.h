// The functions that an expression may call, named as in mpmath, with the number of arguments and Arb's implementation.
#pragma once

#include "numeric/ball.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::oracle {

using Arguments = std::span<const numeric::ComplexBall>;

// There is no value: a pole, or the end of a domain.
struct Undefined {
  std::string why;
  bool is_pole = false; // inside the domain
};

// The domain where a function of complex arguments is analytic, for integrands.
enum class Analytic : uint8_t {
  everywhere, // except at poles, where its ball is not finite
  off_cut,    // away from the real numbers up to 0, in the last argument; the others must be constant
  nowhere,    // unknown
};

struct Function {
  const char* name;
  size_t fewest, most; // arguments
  Analytic analytic;
  const char* usage; // besselj(v, x): Bessel function of the first kind
  // Not finite where the precision is too small. Throws Undefined.
  numeric::ComplexBall (*evaluate)(Arguments arguments, long precision);
};

const Function* find_function(std::string_view name);
std::vector<std::string> function_names();
std::vector<const Function*> all_functions(); // by family

// The families.
std::span<const Function> elementary_functions();
std::span<const Function> trigonometric_functions();
std::span<const Function> gamma_functions();
std::span<const Function> error_functions();
std::span<const Function> bessel_functions();
std::span<const Function> elliptic_functions();
std::span<const Function> hypergeometric_functions();
std::span<const Function> polynomial_functions();

// Helpers for the tables of functions: combine Arb's functions of real and of complex balls. Real arguments go to the
// real function first, which is faster and tighter. Where it has no value, the complex one is used, so that sqrt(-1)^2
// is -1.
using numeric::Ball;
using numeric::ComplexBall;

inline bool all_real(Arguments arguments) { return std::ranges::all_of(arguments, &ComplexBall::is_real); }

inline bool is_integer(const ComplexBall& x) { return x.is_real() && arb_is_int(x.real()); }
inline bool is_pole_of_gamma(const ComplexBall& x) { return is_integer(x) && !arb_is_positive(x.real()); }

// Throws Undefined unless the argument is known to be an integer that fits.
long small_integer(const ComplexBall& x, const char* of);

template <auto Real, auto Complex> ComplexBall unary(Arguments a, long precision) {
  ComplexBall result;
  if (a[0].is_real()) {
    Real(result.real(), a[0].real(), precision);
    if (result.is_finite())
      return result;
  }
  Complex(result.raw(), a[0].raw(), precision);
  return result;
}

template <auto Real, auto Complex> ComplexBall binary(Arguments a, long precision) {
  ComplexBall result;
  if (all_real(a)) {
    Real(result.real(), a[0].real(), a[1].real(), precision);
    if (result.is_finite())
      return result;
  }
  Complex(result.raw(), a[0].raw(), a[1].raw(), precision);
  return result;
}

// With a flag between arguments and precision, as in many of Arb's functions.
template <auto Real, auto Complex, int flag> ComplexBall binary_flagged(Arguments a, long precision) {
  ComplexBall result;
  if (all_real(a)) {
    Real(result.real(), a[0].real(), a[1].real(), flag, precision);
    if (result.is_finite())
      return result;
  }
  Complex(result.raw(), a[0].raw(), a[1].raw(), flag, precision);
  return result;
}

template <auto Real, auto Complex, int flag> ComplexBall ternary_flagged(Arguments a, long precision) {
  ComplexBall result;
  if (all_real(a)) {
    Real(result.real(), a[0].real(), a[1].real(), a[2].real(), flag, precision);
    if (result.is_finite())
      return result;
  }
  Complex(result.raw(), a[0].raw(), a[1].raw(), a[2].raw(), flag, precision);
  return result;
}

template <auto Real, auto Complex> ComplexBall ternary(Arguments a, long precision) {
  ComplexBall result;
  if (all_real(a)) {
    Real(result.real(), a[0].real(), a[1].real(), a[2].real(), precision);
    if (result.is_finite())
      return result;
  }
  Complex(result.raw(), a[0].raw(), a[1].raw(), a[2].raw(), precision);
  return result;
}

// For functions of real numbers only.
template <auto Real> ComplexBall real_unary(Arguments a, long precision) {
  ComplexBall result;
  if (!a[0].is_real())
    return ComplexBall::unknown();
  Real(result.real(), a[0].real(), precision);
  return result;
}

inline ComplexBall plus(const ComplexBall& a, const ComplexBall& b, long precision) {
  ComplexBall result;
  acb_add(result.raw(), a.raw(), b.raw(), precision);
  return result;
}
inline ComplexBall minus(const ComplexBall& a, const ComplexBall& b, long precision) {
  ComplexBall result;
  acb_sub(result.raw(), a.raw(), b.raw(), precision);
  return result;
}
inline ComplexBall times(const ComplexBall& a, const ComplexBall& b, long precision) {
  ComplexBall result;
  acb_mul(result.raw(), a.raw(), b.raw(), precision);
  return result;
}
// Throws Undefined for a divisor of zero.
ComplexBall quotient(const ComplexBall& a, const ComplexBall& b, long precision);
ComplexBall to_the_power(const ComplexBall& base, const ComplexBall& exponent, long precision);

// Short forms of Analytic for the tables.
constexpr auto everywhere = Analytic::everywhere, off_cut = Analytic::off_cut, nowhere = Analytic::nowhere;

} // namespace faultline::oracle
