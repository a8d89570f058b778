// Laguerre's, Gegenbauer's and Hermite's polynomials, by recurrences without division: k! times the polynomial is exact
// once the precision is high enough, and so is a zero.
#include "families.h"
#include "formula.h"

namespace faultline::benchmarks {
namespace {

constexpr double largest_degree = 20000; // beyond it, unknown

// value_(k+1) = step(k, value_k, value_(k-1)), from value_0 = 1.
template <typename Step>
Ball recur(double degree, const Ball& first, Step step) {
  Ball previous = first.constant(1), current = first;
  if (degree == 0)
    return previous;
  for (double k = 1; k < degree; ++k) {
    Ball next = step(k, current, previous);
    previous = std::move(current);
    current = std::move(next);
  }
  return current;
}

Value laguerre(double n, const Ball& a, const Ball& x) {
  if (!is_int(n) || n < 0)
    return undefined;
  if (n > largest_degree)
    return Ball::unknown(x.precision());
  const Ball scaled = recur(n, 1 + a - x, [&](double k, const Ball& current, const Ball& previous) {
    return (2 * k + 1 + a - x) * current - k * (k + a) * previous;
  });
  return scaled / factorial(static_cast<unsigned long>(n), x.precision());
}

// At lambda = 0, where all but the first vanish, the limit of C_n / lambda: 2 T_n(x) / n.
Ball gegenbauer(double n, double lambda, const Ball& x) {
  const auto degree = static_cast<unsigned long>(n);
  if (n == 0)
    return x.constant(1);
  if (lambda == 0) {
    Ball chebyshev(x.precision());
    arb_chebyshev_t_ui(chebyshev.raw(), degree, x.raw(), x.precision());
    return 2 * chebyshev / n;
  }
  const Ball exact = x.constant(lambda);
  const Ball scaled = recur(n, 2 * exact * x, [&](double k, const Ball& current, const Ball& previous) {
    return 2 * x * (k + exact) * current - k * (k - 1 + 2 * exact) * previous;
  });
  return scaled / factorial(degree, x.precision());
}

template <int n>
Value fixed_laguerre(const Arguments& a) {
  return laguerre(n, a.ball(0), a.ball(1));
}

Value laguerre_n(const Arguments& a) { return laguerre(a[0], a.ball(1), a.ball(2)); }

template <int n>
Value fixed_gegenbauer(const Arguments& a) {
  return gegenbauer(n, a[0], a.ball(1));
}

Value gegenpoly_n(const Arguments& a) {
  if (!is_int(a[0]) || a[0] < 0 || a[1] <= -0.5)
    return undefined;
  if (a[0] > largest_degree)
    return Ball::unknown(a.precision);
  return gegenbauer(a[0], a[1], a.ball(2));
}

// H_(k+1) = c (x H_k - k H_(k-1)) with c = 2 for the physicists' polynomials, c = 1 for the probabilists'.
template <int c>
Value hermite(const Arguments& a) {
  if (!is_int(a[0]) || a[0] < 0)
    return undefined;
  if (a[0] > largest_degree)
    return Ball::unknown(a.precision);
  const Ball x = a.ball(1);
  return recur(a[0], c * x,
               [&](double k, const Ball& current, const Ball& previous) { return c * (x * current - k * previous); });
}

const GslReference references[] = {
    {"gsl_sf_laguerre_1", 2, fixed_laguerre<1>},
    {"gsl_sf_laguerre_2", 2, fixed_laguerre<2>},
    {"gsl_sf_laguerre_3", 2, fixed_laguerre<3>},
    {"gsl_sf_laguerre_n", 3, laguerre_n},
    {"gsl_sf_gegenpoly_1", 2, fixed_gegenbauer<1>},
    {"gsl_sf_gegenpoly_2", 2, fixed_gegenbauer<2>},
    {"gsl_sf_gegenpoly_3", 2, fixed_gegenbauer<3>},
    {"gsl_sf_gegenpoly_n", 3, gegenpoly_n},
    {"gsl_sf_hermite", 2, hermite<2>},
    {"gsl_sf_hermite_prob", 2, hermite<1>},
};

} // namespace

Family polynomial_family() { return references; }

} // namespace faultline::benchmarks
