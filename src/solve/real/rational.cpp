#include "solve/real/rational.h"

#include "solve/real/roots.h"

#include <algorithm>

namespace faultline::solve {
namespace {

constexpr int most_degree = 60;
constexpr size_t most_height = 100'000; // bits

bool fits(const Polynomial& a) { return a.degree() <= most_degree && a.height() <= most_height; }

uint64_t size(const Polynomial& a) { return uint64_t(a.degree() + 2) * (1 + a.height() / 64); }

bool pay(const RationalFunction& a, const RationalFunction& b, Budget& budget) {
  const uint64_t left = size(a.numerator) + size(a.denominator), right = size(b.numerator) + size(b.denominator);
  return budget.spend(500 + 5 * left * right);
}

// In lowest terms, with a constant denominator of 1.
MaybeRational reduced(Polynomial numerator, Polynomial denominator, Budget& budget) {
  if (denominator.is_zero() || !fits(numerator) || !fits(denominator))
    return std::nullopt;
  if (denominator.is_constant() || numerator.is_zero())
    return numerator.is_zero() ? RationalFunction{} : RationalFunction{numerator.divided_by(denominator)};
  if (!budget.spend(10 * size(numerator) * size(denominator)))
    return std::nullopt;
  const Polynomial common = Polynomial::common_divisor(numerator, denominator);
  if (common.degree() < 1)
    return RationalFunction{std::move(numerator), std::move(denominator)};
  numerator = numerator.divided_by(common);
  denominator = denominator.divided_by(common);
  if (denominator.is_constant())
    return RationalFunction{numerator.divided_by(denominator)};
  return RationalFunction{std::move(numerator), std::move(denominator)};
}

MaybeRational added(const RationalFunction& a, const RationalFunction& b, bool minus, Budget& budget) {
  if (!pay(a, b, budget))
    return std::nullopt;
  const auto joined = [minus](const Polynomial& x, const Polynomial& y) { return minus ? x - y : x + y; };
  if (a.denominator == b.denominator)
    return reduced(joined(a.numerator, b.numerator), a.denominator, budget);
  return reduced(joined(a.numerator * b.denominator, b.numerator * a.denominator), a.denominator * b.denominator,
                 budget);
}

// Where numerator/denominator is positive, and where it is zero if `itself`.
std::optional<RealSet> where_positive(const Polynomial& numerator, const Polynomial& denominator,
                                      const std::vector<BigFloat>& poles, bool itself, Budget& budget) {
  const auto zeros = real_roots(numerator, budget);
  if (!zeros)
    return std::nullopt;
  std::vector<BigFloat> ends(*zeros);
  ends.insert(ends.end(), poles.begin(), poles.end());
  std::sort(ends.begin(), ends.end());
  RealSet result;
  BigFloat low = real_number(0);
  mpfr_set_inf(low.raw(), -1);
  const bool nowhere_but_zero = numerator.is_zero();
  for (size_t i = 0; i <= ends.size(); ++i) {
    BigFloat high = real_number(0), middle(2 * real_precision);
    mpfr_set_inf(high.raw(), 1);
    if (i < ends.size())
      high = ends[i];
    if (low.is_inf() || high.is_inf()) {
      middle = low.is_inf() ? high : low;
      if (middle.is_inf())
        middle = real_number(0);
      else
        mpfr_add_si(middle.raw(), middle.raw(), low.is_inf() ? -1 : 1, MPFR_RNDN);
      if (middle == (low.is_inf() ? high : low)) // so large that one is nothing
        mpfr_mul_2si(middle.raw(), middle.raw(), mpfr_sgn(middle.raw()) < 0 == low.is_inf() ? 1 : -1, MPFR_RNDN);
    } else {
      mpfr_add(middle.raw(), low.raw(), high.raw(), MPFR_RNDN);
      mpfr_div_2ui(middle.raw(), middle.raw(), 1, MPFR_RNDN);
    }
    if (!budget.spend(500 + 100 * uint64_t(numerator.degree() + denominator.degree() + 2)))
      return std::nullopt;
    const int sign = numerator.sign_at(middle) * denominator.sign_at(middle);
    if (sign > 0 || (nowhere_but_zero && itself))
      result.append({low, high});
    const bool pole = std::any_of(poles.begin(), poles.end(), [&](const BigFloat& end) { return end == high; });
    if (itself && high.is_finite() && !pole)
      result.append({high, high, true, true});
    low = high;
  }
  return result;
}

} // namespace

BigFloat RationalFunction::value() const {
  BigFloat result = numerator.value();
  mpfr_div(result.raw(), result.raw(), denominator.value().raw(), MPFR_RNDN);
  return result;
}

MaybeRational sum(const RationalFunction& a, const RationalFunction& b, Budget& budget) {
  return added(a, b, false, budget);
}
MaybeRational difference(const RationalFunction& a, const RationalFunction& b, Budget& budget) {
  return added(a, b, true, budget);
}
MaybeRational product(const RationalFunction& a, const RationalFunction& b, Budget& budget) {
  if (!pay(a, b, budget))
    return std::nullopt;
  return reduced(a.numerator * b.numerator, a.denominator * b.denominator, budget);
}
MaybeRational quotient(const RationalFunction& a, const RationalFunction& b, Budget& budget) {
  if (!pay(a, b, budget))
    return std::nullopt;
  return reduced(a.numerator * b.denominator, a.denominator * b.numerator, budget);
}

MaybeRational power(const RationalFunction& a, int exponent, Budget& budget) {
  MaybeRational result = RationalFunction::constant(real_number(1));
  for (int i = 0; i < std::abs(exponent) && result; ++i)
    result = product(*result, a, budget);
  return result && exponent < 0 ? quotient(RationalFunction::constant(real_number(1)), *result, budget) : result;
}

std::optional<RealSet> poles(const RationalFunction& function, Budget& budget) {
  const auto roots = real_roots(function.denominator, budget);
  if (!roots)
    return std::nullopt;
  RealSet result;
  for (const BigFloat& root : *roots)
    result.append({root, root, true, true});
  return result;
}

std::optional<RealSet> where_in(const RationalFunction& function, const RealSet& target, Budget& budget) {
  if (function.is_constant())
    return target.contains(function.value()) ? RealSet::everything() : RealSet();
  if (function.is_identity() || target.empty())
    return target;
  const auto poles = real_roots(function.denominator, budget);
  if (!poles)
    return std::nullopt;
  const Polynomial &p = function.numerator, &q = function.denominator;
  RealSet result;
  for (const RealInterval& interval : target.intervals()) {
    std::optional<RealSet> part = where_positive(Polynomial::constant(real_number(1)), q * q, *poles, false, budget);
    if (part && interval.low.is_finite()) {
      const auto above = where_positive(p - Polynomial::constant(interval.low) * q, q, *poles, interval.low_in, budget);
      part = above ? std::optional(*part & *above) : std::nullopt;
    }
    if (part && interval.high.is_finite()) {
      const auto below =
          where_positive(Polynomial::constant(interval.high) * q - p, q, *poles, interval.high_in, budget);
      part = below ? std::optional(*part & *below) : std::nullopt;
    }
    if (!part)
      return std::nullopt;
    result = result | *part;
  }
  return result;
}

} // namespace faultline::solve
