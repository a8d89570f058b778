#include "solve/real/refined_root.h"

#include <algorithm>

namespace faultline::solve {
namespace {

BigFloat rounded(const BigFloat& x) {
  BigFloat result(real_precision);
  result.set(x);
  return result;
}

void evaluate(const Integers& f, const BigFloat& x, BigFloat& value, BigFloat& slope) {
  mpz_t coefficient;
  mpz_init(coefficient);
  mpfr_set_zero(value.raw(), 1);
  mpfr_set_zero(slope.raw(), 1);
  for (slong i = f.degree(); i >= 0; --i) {
    mpfr_mul(slope.raw(), slope.raw(), x.raw(), MPFR_RNDN);
    mpfr_add(slope.raw(), slope.raw(), value.raw(), MPFR_RNDN);
    mpfr_mul(value.raw(), value.raw(), x.raw(), MPFR_RNDN);
    fmpz_get_mpz(coefficient, f.value->coeffs + i);
    mpfr_add_z(value.raw(), value.raw(), coefficient, MPFR_RNDN);
  }
  mpz_clear(coefficient);
}

// Newton's steps from the middle. A change of sign around where they end says that this is the root.
std::optional<BigFloat> newton(const Integers& f, const BigFloat& low, const BigFloat& high, int sign, Budget& budget) {
  constexpr int steps = 10;
  const mpfr_prec_t precision = 2 * real_precision;
  BigFloat x(precision), value(precision), slope(precision);
  mpfr_add(x.raw(), low.raw(), high.raw(), MPFR_RNDN);
  mpfr_div_2ui(x.raw(), x.raw(), 1, MPFR_RNDN);
  for (int step = 0; step < steps; ++step) {
    if (!budget.spend(200 + uint64_t(f.degree()) * 200))
      return std::nullopt;
    evaluate(f, x, value, slope);
    if (value.is_zero())
      break;
    if (slope.is_zero())
      return std::nullopt;
    mpfr_div(value.raw(), value.raw(), slope.raw(), MPFR_RNDN);
    mpfr_sub(x.raw(), x.raw(), value.raw(), MPFR_RNDN);
    if (!(x > low && x < high))
      return std::nullopt;
    if (mpfr_get_exp(value.raw()) < mpfr_get_exp(x.raw()) - real_precision - 8)
      break;
  }
  BigFloat below = x, above = x, width = x;
  mpfr_div_2ui(width.raw(), width.raw(), ulong(real_precision + 4), MPFR_RNDN);
  mpfr_sub(below.raw(), x.raw(), width.raw(), MPFR_RNDD);
  mpfr_add(above.raw(), x.raw(), width.raw(), MPFR_RNDU);
  if (!(below > low && above < high) || f.sign_at(below) != sign || f.sign_at(above) != -sign)
    return std::nullopt;
  return rounded(x);
}

} // namespace

std::optional<BigFloat> refined_root(const Integers& f, BigFloat low, BigFloat high, Budget& budget) {
  constexpr int between_newton = 6; // halvings
  const mpfr_prec_t precision = std::max(low.precision(), high.precision()) + 2 * real_precision;
  const int sign = f.sign_at(low);
  const uint64_t cost = 500 + uint64_t(f.degree()) * 100;
  for (int step = 0;; ++step) {
    if (!budget.spend(cost))
      return std::nullopt;
    BigFloat middle(precision);
    if (mpfr_get_exp(high.raw()) - mpfr_get_exp(low.raw()) > 2) {
      middle = power_of_two((mpfr_get_exp(high.raw()) + mpfr_get_exp(low.raw()) - 1) / 2);
    } else {
      if (step % between_newton == between_newton - 1)
        if (auto root = newton(f, low, high, sign, budget))
          return root;
      mpfr_add(middle.raw(), low.raw(), high.raw(), MPFR_RNDN);
      mpfr_div_2ui(middle.raw(), middle.raw(), 1, MPFR_RNDN);
      BigFloat width(real_precision);
      mpfr_sub(width.raw(), high.raw(), low.raw(), MPFR_RNDN);
      if (middle <= low || middle >= high || mpfr_get_exp(width.raw()) < mpfr_get_exp(low.raw()) - real_precision - 4)
        return rounded(middle);
    }
    const int there = f.sign_at(middle);
    if (there == 0)
      return rounded(middle);
    (there == sign ? low : high) = middle;
  }
}

} // namespace faultline::solve
