#include "solve/real/roots.h"

#include "solve/real/refined_root.h"

#include <algorithm>

namespace faultline::solve {
namespace {

constexpr long deepest = 4'000; // halvings of one interval

// An interval between powers of two, or, if not `wide`, from m * 2^low to (m + 1) * 2^low.
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

// A bound on the positive roots: they are below 2 to this power (Fujiwara).
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

// The positive roots of a square-free polynomial that is not zero at zero.
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
    const BigFloat first = integer(place.m, 2, 0), second = integer(place.m, 2, 1); // m is 1 in a wide place
    divide_out(second, place.low - 1);
    open.push_back({false, place.low - 1, 0, first});
    open.push_back({false, place.low - 1, 0, second});
  }

  // So that no place has a root at its end.
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

  // Descartes: an upper bound on the roots inside, of the same parity; exact if 0 or 1. -1 if the budget ends.
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

  // g(2^e x), times a power of two.
  static void scale(fmpz_poly_t g, long e) {
    const slong n = fmpz_poly_degree(g);
    for (slong i = 0; i <= n; ++i)
      fmpz_mul_2exp(g->coeffs + i, g->coeffs + i, ulong(e >= 0 ? e * i : -e * (n - i)));
  }

  // g(w x)
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

} // namespace faultline::solve
