// The functions that an expression may call, named as in mpmath, with the number of arguments and Arb's implementation.
#pragma once

#include "numeric/ball.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

// The families that have their own files.
std::span<const Function> gamma_functions();
std::span<const Function> error_functions();
std::span<const Function> bessel_functions();
std::span<const Function> elliptic_functions();
std::span<const Function> hypergeometric_functions();

// Helpers for the tables of functions: combine Arb's functions of real and of complex balls. Real arguments go to the
// real function first, which is faster and tighter. Where it has no value, the complex one is used, so that sqrt(-1)^2
// is -1. Flags follow the arguments, as in many of Arb's functions.
using numeric::Ball;
using numeric::ComplexBall;

inline bool all_real(Arguments arguments) { return std::ranges::all_of(arguments, &ComplexBall::is_real); }

inline bool is_integer(const ComplexBall& x) { return x.is_real() && arb_is_int(x.real()); }
inline bool is_pole_of_gamma(const ComplexBall& x) { return is_integer(x) && !arb_is_positive(x.real()); }

// Throws Undefined unless the argument is known to be an integer that fits.
long small_integer(const ComplexBall& x, const char* of);

template <size_t count, auto Real, auto Complex, auto... flags> ComplexBall applied(Arguments a, long precision) {
  return [&]<size_t... i>(std::index_sequence<i...>) {
    ComplexBall result;
    if ((a[i].is_real() && ...)) {
      Real(result.real(), a[i].real()..., flags..., precision);
      if (result.is_finite())
        return result;
    }
    Complex(result.raw(), a[i].raw()..., flags..., precision);
    return result;
  }
  (std::make_index_sequence<count>());
}
template <auto Real, auto Complex, auto... flags> constexpr auto unary = applied<1, Real, Complex, flags...>;
template <auto Real, auto Complex, auto... flags> constexpr auto binary = applied<2, Real, Complex, flags...>;
template <auto Real, auto Complex, auto... flags> constexpr auto ternary = applied<3, Real, Complex, flags...>;

// For functions that Arb has of complex balls only.
template <size_t count, auto Complex, auto... flags> ComplexBall complex_only(Arguments a, long precision) {
  return [&]<size_t... i>(std::index_sequence<i...>) {
    ComplexBall result;
    Complex(result.raw(), a[i].raw()..., flags..., precision);
    return result;
  }
  (std::make_index_sequence<count>());
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
