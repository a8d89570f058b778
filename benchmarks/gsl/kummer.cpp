#include "kummer.h"

namespace faultline::benchmarks {

Ball kummer_series(const Ball& a, const Ball& x) {
  constexpr double most_terms = 200000;
  Ball sum = x.constant(1), term = sum;
  for (double k = 1; k < most_terms; ++k) {
    term = term * x / (a + k);
    sum += term;
    if (term.is_certainly_below_2exp(-x.precision() - 40)) {
      const Ball ratio = abs(x) / (a + (k + 1));
      sum.add_error(term * ratio / (1 - ratio));
      return sum;
    }
  }
  return Ball::unknown(x.precision());
}

} // namespace faultline::benchmarks
