// expect: naive inaccuracy line 7 above 0.9 operation fadd|fsub
// silent: stable
#include <complex>

double naive(double x) {
  std::complex<double> z(1, x), product = z * std::conj(z);
  return product.real() - 1; // x squared
}

double stable(double x) {
  std::complex<double> z(0, x), product = z * std::conj(z);
  return product.real();
}
