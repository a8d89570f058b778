#include "solve/real/polynomial.h"

#include <algorithm>
#include <arb.h>
#include <arb_fmpz_poly.h>
#include <flint/fmpq.h>

namespace faultline::solve {

using Contents = Polynomial::Contents;

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

// Newton's method from the middle. A change of sign around the result proves that it is the root.
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

// Returns the only root between two positive numbers that are no roots, to real_precision bits: bisection, of the
// exponent first, then Newton's method once it converges. None if the budget ends.
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

constexpr long deepest = 4'000; // halvings of one interval

// An interval between powers of two or, if not `wide`, from m * 2^low to (m + 1) * 2^low.
struct Place {
  bool wide;
  long low, high;
  BigFloat m; // an integer
};

BigFloat dyadic(const BigFloat& m, long exponent) {
  BigFloat result = m;
  mpfr_mul_2si(result.raw(), result.raw(), exponent, MPFR_RNDN);
  return result;
}

BigFloat integer(const BigFloat& m, long factor, long term) {
  BigFloat result(m.precision() + 2);
  mpfr_mul_si(result.raw(), m.raw(), factor, MPFR_RNDN);
  mpfr_add_si(result.raw(), result.raw(), term, MPFR_RNDN);
  return result;
}

BigFloat left(const Place& place) {
  return place.wide ? dyadic(real_number(1), place.low) : dyadic(place.m, place.low);
}
BigFloat right(const Place& place) {
  return place.wide ? dyadic(real_number(1), place.high) : dyadic(integer(place.m, 1, 1), place.low);
}

// Returns a bound on the positive roots: they are below 2 to this power (Fujiwara).
long root_exponent(const fmpz_poly_t f) {
  const slong n = fmpz_poly_degree(f);
  const slong leading = slong(fmpz_bits(f->coeffs + n));
  long bound = -1'000'000;
  for (slong i = 0; i < n; ++i)
    if (!fmpz_is_zero(f->coeffs + i)) {
      const slong ratio = slong(fmpz_bits(f->coeffs + i)) - leading + 1, steps = n - i;
      bound = std::max(bound, ratio >= 0 ? (ratio + steps - 1) / steps : -(-ratio / steps));
    }
  return bound + 1;
}

// The positive roots of a square-free polynomial that is nonzero at zero.
class PositiveRoots {
public:
  PositiveRoots(const Integers& f, Budget& budget) : f_(f), budget_(budget) {}

  std::optional<std::vector<BigFloat>> run() {
    if (f_.degree() < 1)
      return roots_;
    Integers reversed = f_;
    fmpz_poly_reverse(reversed.value, f_.value, f_.value->length);
    std::vector<Place> open{{true, -root_exponent(reversed.value), root_exponent(f_.value), real_number(1)}};
    while (!open.empty()) {
      const Place place = open.back();
      open.pop_back();
      const int changes = sign_changes(place);
      if (changes < 0 || budget_.over() || place.m.precision() > deepest)
        return std::nullopt;
      if (changes == 1)
        isolated_.push_back(place);
      else if (changes > 1)
        split(place, open);
    }
    for (const Place& place : isolated_) {
      auto root = refined_root(f_, left(place), right(place), budget_);
      if (!root)
        return std::nullopt;
      roots_.push_back(std::move(*root));
    }
    std::sort(roots_.begin(), roots_.end());
    return roots_;
  }

private:
  void split(const Place& place, std::vector<Place>& open) {
    if (place.wide && place.high - place.low > 1) {
      const long middle = place.low + (place.high - place.low) / 2;
      divide_out(real_number(1), middle);
      open.push_back({true, place.low, middle, place.m});
      open.push_back({true, middle, place.high, place.m});
      return;
    }
    const BigFloat first = integer(place.m, 2, 0), second = integer(place.m, 2, 1); // m is 1 if wide
    divide_out(second, place.low - 1);
    open.push_back({false, place.low - 1, 0, first});
    open.push_back({false, place.low - 1, 0, second});
  }

  // Removes a root at the end of an interval.
  void divide_out(const BigFloat& m, long exponent) {
    const BigFloat point = dyadic(m, exponent);
    if (f_.sign_at(point) != 0)
      return;
    roots_.emplace_back(real_precision);
    roots_.back().set(point);
    fmpq_t root;
    fmpq_init(root);
    const Polynomial constant = Polynomial::constant(point);
    fmpq_poly_get_coeff_fmpq(root, constant.held().value, 0);
    Integers factor;
    fmpz_poly_set_coeff_fmpz(factor.value, 1, fmpq_denref(root));
    fmpz_neg(fmpq_numref(root), fmpq_numref(root));
    fmpz_poly_set_coeff_fmpz(factor.value, 0, fmpq_numref(root));
    fmpz_poly_div(f_.value, f_.value, factor.value);
    fmpq_clear(root);
  }

  // Descartes' rule: an upper bound on the number of roots inside, of the same parity; exact if 0 or 1. -1 if the
  // budget ends.
  int sign_changes(const Place& place) {
    const slong n = f_.degree();
    if (n < 1)
      return 0;
    const long width = place.wide ? place.high - place.low : 1;
    const uint64_t limbs = f_.limbs() + uint64_t(n) * uint64_t(width + mpfr_get_exp(place.m.raw())) / 64 +
                           uint64_t(std::abs(place.low)) * uint64_t(n) / 64;
    if (!budget_.spend(1000 + uint64_t(n * n) * (20 + limbs)))
      return -1;
    Integers g = f_;
    scale(g.value, place.low);
    fmpz_t m;
    fmpz_init(m);
    mpz_t whole;
    mpz_init(whole);
    mpfr_get_z(whole, place.m.raw(), MPFR_RNDN);
    fmpz_set_mpz(m, whole);
    mpz_clear(whole);
    fmpz_poly_taylor_shift(g.value, g.value, m);
    if (place.wide) {
      fmpz_one_2exp(m, ulong(place.high - place.low));
      fmpz_sub_ui(m, m, 1);
      stretch(g.value, m);
    }
    fmpz_poly_reverse(g.value, g.value, n + 1);
    fmpz_one(m);
    fmpz_poly_taylor_shift(g.value, g.value, m);
    fmpz_clear(m);
    int changes = 0, last = 0;
    for (slong i = 0; i < g.value->length; ++i) {
      const int sign = fmpz_sgn(g.value->coeffs + i);
      changes += sign != 0 && last != 0 && sign != last;
      last = sign != 0 ? sign : last;
    }
    return changes;
  }

  // Replaces g(x) by g(2^e x) times a power of two.
  static void scale(fmpz_poly_t g, long e) {
    const slong n = fmpz_poly_degree(g);
    for (slong i = 0; i <= n; ++i)
      fmpz_mul_2exp(g->coeffs + i, g->coeffs + i, ulong(e >= 0 ? e * i : -e * (n - i)));
  }

  // Replaces g(x) by g(w x).
  static void stretch(fmpz_poly_t g, const fmpz_t w) {
    fmpz_t power;
    fmpz_init_set_ui(power, 1);
    for (slong i = 1; i < g->length; ++i) {
      fmpz_mul(power, power, w);
      fmpz_mul(g->coeffs + i, g->coeffs + i, power);
    }
    fmpz_clear(power);
  }

  Integers f_;
  Budget& budget_;
  std::vector<BigFloat> roots_;
  std::vector<Place> isolated_;
};

void make_square_free(Integers& f, Budget& budget) {
  Integers slope, common;
  fmpz_poly_derivative(slope.value, f.value);
  budget.spend(uint64_t(f.degree() * f.degree()) * f.limbs() * 20);
  fmpz_poly_gcd(common.value, f.value, slope.value);
  if (common.degree() > 0)
    fmpz_poly_div(f.value, f.value, common.value);
  fmpz_poly_primitive_part(f.value, f.value);
}

void set_rational(fmpq_t result, const BigFloat& value) {
  mpz_t mantissa;
  mpz_init(mantissa);
  fmpq_zero(result);
  if (!value.is_zero()) {
    const long exponent = mpfr_get_z_2exp(mantissa, value.raw());
    fmpz_set_mpz(fmpq_numref(result), mantissa);
    if (exponent >= 0)
      fmpq_mul_2exp(result, result, ulong(exponent));
    else
      fmpq_div_2exp(result, result, ulong(-exponent));
  }
  mpz_clear(mantissa);
}

template <class Fill> Polynomial made(Fill fill) {
  auto held = std::make_shared<Contents>();
  fill(held->value);
  return Polynomial(std::move(held));
}

} // namespace

std::optional<std::vector<BigFloat>> real_roots(const Polynomial& polynomial, Budget& budget) {
  std::vector<BigFloat> all;
  if (polynomial.degree() < 1)
    return all;
  Integers f;
  fmpq_poly_get_numerator(f.value, polynomial.held().value);
  slong zeros = 0;
  while (fmpz_is_zero(f.value->coeffs + zeros))
    ++zeros;
  fmpz_poly_shift_right(f.value, f.value, zeros);
  make_square_free(f, budget);
  Integers mirrored = f;
  for (slong i = 1; i < mirrored.value->length; i += 2)
    fmpz_neg(mirrored.value->coeffs + i, mirrored.value->coeffs + i);
  const auto positive = PositiveRoots(f, budget).run(), negative = PositiveRoots(mirrored, budget).run();
  if (!positive || !negative)
    return std::nullopt;
  for (auto root = negative->rbegin(); root != negative->rend(); ++root) {
    all.push_back(*root);
    mpfr_neg(all.back().raw(), all.back().raw(), MPFR_RNDN);
  }
  if (zeros != 0)
    all.push_back(real_number(0));
  all.insert(all.end(), positive->begin(), positive->end());
  return all;
}

BigFloat power_of_two(long exponent) {
  BigFloat result = real_number(1);
  mpfr_mul_2si(result.raw(), result.raw(), exponent, MPFR_RNDN);
  return result;
}

int sign_at(const fmpz* coefficients, slong length, const BigFloat& x) {
  arb_t point, value;
  arb_init(point);
  arb_init(value);
  arf_set_mpfr(arb_midref(point), x.raw());
  int sign = 0;
  for (const slong precision : {slong(64), slong(256), slong(2048), slong(ARF_PREC_EXACT)}) {
    _arb_fmpz_poly_evaluate_arb_horner(value, coefficients, length, point, precision);
    if (!arb_contains_zero(value) || precision == slong(ARF_PREC_EXACT)) {
      sign = arf_sgn(arb_midref(value));
      break;
    }
  }
  arb_clear(point);
  arb_clear(value);
  return sign;
}

Polynomial::Polynomial() {
  static thread_local const auto zero = std::make_shared<const Contents>();
  held_ = zero;
}

Polynomial Polynomial::constant(const BigFloat& finite) {
  fmpq_t value;
  fmpq_init(value);
  set_rational(value, finite);
  Polynomial result = made([&](fmpq_poly_t held) { fmpq_poly_set_fmpq(held, value); });
  fmpq_clear(value);
  return result;
}

Polynomial Polynomial::identity() {
  return made([](fmpq_poly_t held) { fmpq_poly_set_coeff_si(held, 1, 1); });
}

int Polynomial::degree() const { return int(fmpq_poly_degree(held_->value)); }

size_t Polynomial::height() const {
  const slong bits = _fmpz_vec_max_bits(fmpq_poly_numref(held_->value), fmpq_poly_length(held_->value));
  return std::max(size_t(std::abs(bits)), size_t(fmpz_bits(fmpq_poly_denref(held_->value))));
}

bool Polynomial::is_identity() const { return *this == identity(); }

int Polynomial::sign_at(const BigFloat& finite) const {
  return solve::sign_at(fmpq_poly_numref(held_->value), fmpq_poly_length(held_->value), finite);
}

BigFloat Polynomial::value() const {
  BigFloat result = real_number(0);
  if (is_zero())
    return result;
  mpz_t numerator, denominator;
  mpz_init(numerator);
  mpz_init(denominator);
  fmpz_get_mpz(numerator, fmpq_poly_numref(held_->value));
  fmpz_get_mpz(denominator, fmpq_poly_denref(held_->value));
  mpq_t quotient;
  mpq_init(quotient);
  mpq_set_num(quotient, numerator);
  mpq_set_den(quotient, denominator);
  mpfr_set_q(result.raw(), quotient, MPFR_RNDN);
  mpq_clear(quotient);
  mpz_clear(numerator);
  mpz_clear(denominator);
  return result;
}

Polynomial operator+(const Polynomial& a, const Polynomial& b) {
  return made([&](fmpq_poly_t held) { fmpq_poly_add(held, a.held().value, b.held().value); });
}
Polynomial operator-(const Polynomial& a, const Polynomial& b) {
  return made([&](fmpq_poly_t held) { fmpq_poly_sub(held, a.held().value, b.held().value); });
}
Polynomial operator*(const Polynomial& a, const Polynomial& b) {
  return made([&](fmpq_poly_t held) { fmpq_poly_mul(held, a.held().value, b.held().value); });
}
bool operator==(const Polynomial& a, const Polynomial& b) {
  return fmpq_poly_equal(a.held().value, b.held().value) != 0;
}

Polynomial Polynomial::divided_by(const Polynomial& divisor) const {
  return made([&](fmpq_poly_t held) { fmpq_poly_div(held, held_->value, divisor.held_->value); });
}

Polynomial Polynomial::common_divisor(const Polynomial& a, const Polynomial& b) {
  return made([&](fmpq_poly_t held) { fmpq_poly_gcd(held, a.held_->value, b.held_->value); });
}

} // namespace faultline::solve
