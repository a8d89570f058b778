// expect: naive inaccuracy line 7 above 0.9 operation fsub
// expect: naive_single inaccuracy line 7 above 0.9 operation fsub
// silent: stable
// silent: stable_single
#include <cmath>

template <class T> T versine(T x) { return T(1) - std::cos(x); }

template <class T> T half_sine(T x) {
  T half = std::sin(x / 2);
  return 2 * half * half;
}

double naive(double x) { return versine(x); }
float naive_single(float x) { return versine(x); }
double stable(double x) { return half_sine(x); }
float stable_single(float x) { return half_sine(x); }
