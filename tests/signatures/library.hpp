// A header-only library: nothing of it is compiled until it is used.
#pragma once

#include <array>
#include <cmath>
#include <vector>

namespace library {

inline double one_minus_cos(double x) { return 1 - std::cos(x); }

template <class T>
T ratio(T x) {
  return (std::exp(x) - 1) / x;
}

template <class A, class B>
auto difference(A a, B b) {
  return a * a - b * b;
}

template <class T>
T sum(const std::vector<T>& v) {
  T s = 0;
  for (const T& x : v)
    s += x;
  return s;
}

template <class T, int N>
T first_of(const std::array<T, N>& v) {
  return v[0] - v[N - 1];
}

template <class F>
double slope(F f, double a, double b) {
  return (f(b) - f(a)) / (b - a);
}

template <class T>
class Parabola {
public:
  Parabola(T a, T b) : a_(a), b_(b) {}
  T at(T x) const { return a_ * x * x - b_; }

private:
  T a_, b_;
};

double elsewhere(double x);

} // namespace library
