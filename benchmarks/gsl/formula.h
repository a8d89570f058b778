// How a reference is written: a function of balls, and where it is defined.
//
// A family's file ends in its slice of the list. There, a function that is defined wherever its real argument is stands
// as everywhere<f>, positive<f> or not_negative<f>; all others look at their arguments themselves.
#pragma once

#include <cmath>

#include "ball.h"
#include "reference.h"

namespace faultline::benchmarks {

struct Arguments {
  std::span<const double> values;
  slong precision;

  double operator[](size_t i) const { return values[i]; }
  Ball ball(size_t i) const { return Ball(values[i], precision); }
  Ball constant(double value) const { return Ball(value, precision); }
};

using Value = std::optional<Ball>;
constexpr std::nullopt_t undefined = std::nullopt;

template <Ball (*function)(const Ball&)>
Value everywhere(const Arguments& a) {
  return function(a.ball(0));
}

template <Ball (*function)(const Ball&)>
Value positive(const Arguments& a) {
  if (a[0] <= 0)
    return undefined;
  return function(a.ball(0));
}

template <Ball (*function)(const Ball&)>
Value not_negative(const Arguments& a) {
  if (a[0] < 0)
    return undefined;
  return function(a.ball(0));
}

inline bool is_integer(double x) { return std::floor(x) == x; }
inline bool is_odd(double x) { return is_integer(x) && std::fmod(x, 2) != 0; }
// Where the gamma function has its poles.
inline bool is_gamma_pole(double x) { return x <= 0 && is_integer(x); }

// What the C function takes as an int or an unsigned int.
inline bool is_int(double n) { return is_integer(n) && n >= -2147483648.0 && n <= 2147483647.0; }
inline bool is_unsigned(double n) { return is_integer(n) && n >= 0 && n < 4294967296.0; }

} // namespace faultline::benchmarks
