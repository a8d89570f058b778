// A number of many bits that code of the sort of the examples can be compiled with in place of double or float: what
// the code means, in arithmetic that is as good as exact. It shares nothing with Faultline but MPFR.
#pragma once

#include <cmath>
#include <cstdlib>
#include <mpfr.h>
#include <type_traits>

class Wide {
public:
  inline static mpfr_prec_t precision = 400; // of what is computed from now on

  Wide() { mpfr_init2(value, precision), mpfr_set_zero(value, 1); }
  template <class T, class = std::enable_if_t<std::is_arithmetic_v<T>>>
  Wide(T x) {
    mpfr_init2(value, precision);
    if constexpr (std::is_integral_v<T>)
      mpfr_set_si(value, long(x), MPFR_RNDN);
    else
      mpfr_set_ld(value, x, MPFR_RNDN);
  }
  Wide(const Wide& other) { mpfr_init2(value, precision), mpfr_set(value, other.value, MPFR_RNDN); }
  Wide& operator=(const Wide& other) {
    mpfr_set_prec(value, precision), mpfr_set(value, other.value, MPFR_RNDN);
    return *this;
  }
  ~Wide() { mpfr_clear(value); }

  explicit operator int() const { return int(mpfr_get_si(value, MPFR_RNDZ)); }
  explicit operator long() const { return mpfr_get_si(value, MPFR_RNDZ); }
  explicit operator unsigned() const { return unsigned(mpfr_get_si(value, MPFR_RNDZ)); }
  explicit operator bool() const { return !mpfr_zero_p(value); }

  mpfr_t value;
};

#define WIDE_BINARY(symbol, call)                                                                                      \
  inline Wide operator symbol(const Wide& a, const Wide& b) {                                                          \
    Wide result;                                                                                                       \
    call(result.value, a.value, b.value, MPFR_RNDN);                                                                   \
    return result;                                                                                                     \
  }                                                                                                                    \
  inline Wide& operator symbol##=(Wide& a, const Wide& b) { return a = a symbol b; }
WIDE_BINARY(+, mpfr_add)
WIDE_BINARY(-, mpfr_sub)
WIDE_BINARY(*, mpfr_mul)
WIDE_BINARY(/, mpfr_div)
#undef WIDE_BINARY

inline Wide operator-(const Wide& a) { return Wide(0) - a; }
inline Wide operator+(const Wide& a) { return a; }
inline Wide& operator++(Wide& a) { return a += 1; }
inline bool operator<(const Wide& a, const Wide& b) { return mpfr_less_p(a.value, b.value); }
inline bool operator>(const Wide& a, const Wide& b) { return mpfr_greater_p(a.value, b.value); }
inline bool operator<=(const Wide& a, const Wide& b) { return mpfr_lessequal_p(a.value, b.value); }
inline bool operator>=(const Wide& a, const Wide& b) { return mpfr_greaterequal_p(a.value, b.value); }
inline bool operator==(const Wide& a, const Wide& b) { return mpfr_equal_p(a.value, b.value); }
inline bool operator!=(const Wide& a, const Wide& b) { return !mpfr_equal_p(a.value, b.value); }

#define WIDE_FUNCTION(name)                                                                                            \
  inline Wide name(const Wide& x) {                                                                                    \
    Wide result;                                                                                                       \
    mpfr_##name(result.value, x.value, MPFR_RNDN);                                                                     \
    return result;                                                                                                     \
  }
WIDE_FUNCTION(sqrt)
WIDE_FUNCTION(cbrt)
WIDE_FUNCTION(exp)
WIDE_FUNCTION(exp2)
WIDE_FUNCTION(expm1)
WIDE_FUNCTION(log)
WIDE_FUNCTION(log2)
WIDE_FUNCTION(log10)
WIDE_FUNCTION(log1p)
WIDE_FUNCTION(sin)
WIDE_FUNCTION(cos)
WIDE_FUNCTION(tan)
WIDE_FUNCTION(asin)
WIDE_FUNCTION(acos)
WIDE_FUNCTION(atan)
WIDE_FUNCTION(sinh)
WIDE_FUNCTION(cosh)
WIDE_FUNCTION(tanh)
WIDE_FUNCTION(asinh)
WIDE_FUNCTION(acosh)
WIDE_FUNCTION(atanh)
WIDE_FUNCTION(erf)
WIDE_FUNCTION(erfc)
#undef WIDE_FUNCTION
inline Wide fabs(const Wide& x) { return x < 0 ? -x : x; }
inline Wide abs(const Wide& x) { return fabs(x); }
inline Wide floor(const Wide& x) {
  Wide result;
  mpfr_floor(result.value, x.value);
  return result;
}
inline Wide ceil(const Wide& x) { return -floor(-x); }
inline Wide pow(const Wide& x, const Wide& y) {
  Wide result;
  mpfr_pow(result.value, x.value, y.value, MPFR_RNDN);
  return result;
}
inline Wide hypot(const Wide& x, const Wide& y) { return sqrt(x * x + y * y); }
inline Wide atan2(const Wide& y, const Wide& x) {
  Wide result;
  mpfr_atan2(result.value, y.value, x.value, MPFR_RNDN);
  return result;
}
inline Wide copysign(const Wide& x, const Wide& y) { return mpfr_signbit(y.value) ? -fabs(x) : fabs(x); }
inline Wide fmax(const Wide& x, const Wide& y) { return x < y ? y : x; }
inline Wide fmin(const Wide& x, const Wide& y) { return x < y ? x : y; }
inline Wide fma(const Wide& x, const Wide& y, const Wide& z) { return x * y + z; }
inline bool isnan(const Wide& x) { return mpfr_nan_p(x.value); }
inline bool isfinite(const Wide& x) { return mpfr_number_p(x.value); }

namespace std {
using ::abs, ::acos, ::acosh, ::asin, ::asinh, ::atan, ::atan2, ::atanh, ::cbrt, ::ceil, ::copysign, ::cos, ::cosh;
using ::erf, ::erfc, ::exp, ::exp2, ::expm1, ::fabs, ::floor, ::fma, ::fmax, ::fmin, ::hypot, ::isfinite, ::isnan;
using ::log, ::log10, ::log1p, ::log2, ::pow, ::sin, ::sinh, ::sqrt, ::tan, ::tanh;
} // namespace std
