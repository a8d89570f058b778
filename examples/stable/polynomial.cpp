// S. Graillat, P. Langlois, N. Louvet: Compensated Horner Scheme (2005): the result is as good as if it was computed in
// twice the precision and then rounded. So it has its digits up to the roots of the polynomial, as long as they are
// simple. Here are (x - 1) (x - 2) (x - 3), whose coefficients are exact, and Legendre's P5, times 8.
//
// options: --range x=-4:4 --range y=-1:1
#include <cmath>
#include <cstddef>

namespace {

template <std::size_t n>
double compensated_horner(const double (&coefficients)[n], double x) {
  double value = coefficients[0], correction = 0;
  for (std::size_t i = 1; i < n; ++i) {
    const double product = value * x, lost_in_product = std::fma(value, x, -product);
    const double sum = product + coefficients[i], part = sum - product;
    const double lost_in_sum = (product - (sum - part)) + (coefficients[i] - part);
    correction = correction * x + (lost_in_product + lost_in_sum);
    value = sum;
  }
  return value + correction;
}

} // namespace

double cubic(double x) { return compensated_horner({1, -6, 11, -6}, x); }

double legendre_5(double y) { return compensated_horner({63, 0, -70, 0, 15, 0}, y); }
