#include "hurwitz.h"

#include <algorithm>

namespace faultline::benchmarks {
namespace {

bool is_negligible(const Ball& term, const Ball& sum) {
  return (term / sum).is_certainly_below_2exp(-sum.precision() - 8);
}

// The terms are taken relative to the first, q^-s, so that none of them is out of range.
struct Summation {
  const Ball &s, &q;
  Ball sum;

  Ball power(long k) const { return exp(-s * log1p(k / q)); } // ((q + k) / q)^-s

  // Stops early where the terms fall fast: the rest is below the integral of the last term on.
  bool add_terms(long count) {
    for (long k = 0; k < count; ++k) {
      const Ball term = power(k);
      sum += term;
      if (k > 0 && is_negligible(term * (1 + (q + k) / (s - 1)), sum)) {
        sum.add_error(term * ((q + k) / (s - 1)));
        return true;
      }
    }
    return false;
  }

  // What follows the first n terms: the integral, half a term, and the derivatives at q + n.
  void add_rest(long n) {
    const Ball x = q + n, head = power(n);
    sum += head * (x / (s - 1) + 0.5);
    Ball factor = head * s / x; // head (s)_(2k-1) / x^(2k-1)
    Ball bernoulli(q.precision());
    for (long k = 1;; ++k) {
      arb_bernoulli_ui(bernoulli.raw(), 2 * k, q.precision());
      const Ball term = bernoulli * factor / factorial(2 * k, q.precision());
      if (is_negligible(term, sum) || k > q.precision()) {
        sum.add_error(term);
        return;
      }
      sum += term;
      factor = factor * (s + (2 * k - 1)) * (s + 2 * k) / square(x);
    }
  }
};

} // namespace

Ball hurwitz_zeta(const Ball& s, const Ball& q) {
  const slong precision = s.precision() + 32;
  const Ball wide_s = s.at(precision), wide_q = q.at(precision);
  Summation summation{wide_s, wide_q, Ball(precision)};
  // The derivatives fall by ((s + 2k) / (2 pi x))^2 each: x is taken well above s and the number of derivatives.
  const double s_size = arf_get_d(arb_midref(s.raw()), ARF_RND_UP),
               q_size = arf_get_d(arb_midref(q.raw()), ARF_RND_DOWN);
  const double wanted = std::max(0.0, 0.5 * s_size + 0.25 * static_cast<double>(precision) - q_size);
  constexpr double most_terms = 20000;
  const long n = static_cast<long>(std::min(wanted, most_terms));
  if (!summation.add_terms(n)) {
    if (wanted > most_terms)
      return Ball::unknown(s.precision());
    summation.add_rest(n);
  }
  return (summation.sum * pow(wide_q, -wide_s)).at(s.precision());
}

} // namespace faultline::benchmarks
