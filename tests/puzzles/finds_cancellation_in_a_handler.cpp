// expect: naive inaccuracy line 10 above 0.9 operation fadd|fsub
// silent: stable
#include <cmath>

double naive(double x) {
  try {
    if (std::fabs(x) < 1)
      throw std::exp(x);
  } catch (double power) {
    return power - 1;
  }
  return x;
}

double stable(double x) {
  return std::fabs(x) < 1 ? std::expm1(x) : x;
}
