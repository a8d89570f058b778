#include "ops/digamma.h"

#include <cmath>
#include <numbers>

namespace faultline::ops {

namespace {

// log x - 1/(2x) - sum of B(2k) / (2k x^2k), for x >= 10. The first omitted term is below 1e-16.
double asymptotic(double x) {
  const double t = 1 / (x * x);
  const double series =
      t * (1.0 / 12 - t * (1.0 / 120 -
                           t * (1.0 / 252 - t * (1.0 / 240 - t * (1.0 / 132 - t * (691.0 / 32760 - t * (1.0 / 12)))))));
  return std::log(x) - 0.5 / x - series;
}

} // namespace

double digamma(double x) {
  // Reflection: psi(x) = psi(1 - x) - pi / tan(pi x). The tangent has period 1 in x, and x minus an integer is exact.
  double reflected = 0;
  if (x < 0.5) {
    reflected = std::numbers::pi / std::tan(std::numbers::pi * (x - std::rint(x)));
    x = 1 - x;
  }
  // Recurrence: psi(x) = psi(x + 1) - 1 / x.
  double recurred = 0;
  for (; x < 10; x += 1)
    recurred += 1 / x;
  return asymptotic(x) - recurred - reflected;
}

} // namespace faultline::ops
