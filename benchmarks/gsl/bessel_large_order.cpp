#include "bessel_large_order.h"

namespace faultline::benchmarks {
namespace {

// Orders above 1000 leave room for 500 terms before gamma(nu - k) comes near a pole; x^2 < nu makes them fall fast.
constexpr slong most_terms = 500;
bool is_large_order(const Ball& nu, const Ball& x) {
  return (nu - 1000).is_certainly_positive() && (nu - square(x)).is_certainly_positive();
}

struct Sum {
  Ball value, first_left_out;
};

// S(N) / gamma(nu).
Sum sum(int c, const Ball& nu, const Ball& x) {
  const Ball step = c * square(x) / 4;
  Sum sum{Ball(x.precision()), x.constant(1)};
  for (slong k = 1; k <= most_terms && !sum.first_left_out.is_certainly_below_2exp(-x.precision()); ++k) {
    sum.value += sum.first_left_out;
    sum.first_left_out *= step / (static_cast<double>(k) * (nu - static_cast<double>(k)));
  }
  return sum;
}

// (2/x)^nu gamma(nu)
Ball scale(const Ball& nu, const Ball& x) { return exp(nu * log(2 / x) + apply(arb_hypgeom_lgamma, nu)); }

Ball large_order_k(const Ball& nu, const Ball& x) {
  Sum alternating = sum(-1, nu, x);
  alternating.value.add_error(alternating.first_left_out);
  return scale(nu, x) * alternating.value / 2;
}

Ball large_order_y(const Ball& nu, const Ball& x) {
  const Ball growth = exp(x / 2);
  Sum growing = sum(1, nu, x);
  growing.value.add_error(growth * growing.first_left_out);
  Ball value = -scale(nu, x) * growing.value / Ball::pi(x.precision());
  value.add_error(growth + 2);
  return value;
}

} // namespace

void bessel_k(arb_t value, const arb_t nu, const arb_t x, slong precision) {
  const Ball order(nu, precision), argument(x, precision);
  if (is_large_order(order, argument))
    arb_set(value, large_order_k(order, argument).raw());
  else
    arb_hypgeom_bessel_k(value, nu, x, precision);
}

void bessel_k_scaled(arb_t value, const arb_t nu, const arb_t x, slong precision) {
  const Ball order(nu, precision), argument(x, precision);
  if (is_large_order(order, argument))
    arb_set(value, (exp(argument) * large_order_k(order, argument)).raw());
  else
    arb_hypgeom_bessel_k_scaled(value, nu, x, precision);
}

void bessel_y(arb_t value, const arb_t nu, const arb_t x, slong precision) {
  const Ball order(nu, precision), argument(x, precision);
  if (is_large_order(order, argument))
    arb_set(value, large_order_y(order, argument).raw());
  else
    arb_hypgeom_bessel_y(value, nu, x, precision);
}

} // namespace faultline::benchmarks
