// C.-P. Jeannerod, N. Louvet, J.-M. Muller: On the componentwise accuracy of complex floating-point division with an
// FMA (2013): both parts of (a + bi) / (c + di) are good to a few ulps, where Smith's algorithm may lose one of them:
// the cancelling sum is Kahan's difference of products. Without scaling: the range keeps c c + d d from over- and
// underflow.
//
// options: --range a=-1000:1000 --range b=-1000:1000 --range c=0.001:1000 --range d=0.001:1000
#include <cmath>
#include <complex>

namespace {

double sum_of_products(double a, double b, double c, double d) { // a b + c d
  const double product = c * d, lost = std::fma(c, d, -product);
  return std::fma(a, b, product) + lost;
}

} // namespace

void divide(double a, double b, double c, double d, double& real, double& imaginary) {
  const double size = c * c + d * d;
  real = sum_of_products(a, c, b, d) / size;
  imaginary = sum_of_products(b, c, -a, d) / size;
}

// The modulus of (a + bi) / (c + di): nothing cancels.
double modulus_of_quotient(double a, double b, double c, double d) { return std::hypot(a, b) / std::hypot(c, d); }
