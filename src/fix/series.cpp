#include "fix/series.h"

#include "numeric/decimal.h"

#include <acb_hypgeom.h>
#include <algorithm>
#include <arb_hypgeom.h>
#include <arb_poly.h>
#include <cmath>
#include <map>

namespace faultline::fix {

using numeric::Ball;
using numeric::BigFloat;

namespace {

constexpr long model_precision = 320; // bits: those of the result, and what deep cancellation takes
constexpr size_t order = 44;    // coefficients of a model; a guess

constexpr long precision = model_precision;

struct NoModel {};

// t^valuation * (sum of coefficients[k] t^k + rest * t^order) for all |t| <= radius.
struct Model {
  long valuation = 0;
  std::vector<Ball> coefficients = std::vector<Ball>(order);
  Ball rest;
};

Ball sum(const Ball& a, const Ball& b) {
  Ball r;
  arb_add(r.raw(), a.raw(), b.raw(), precision);
  return r;
}
Ball product(const Ball& a, const Ball& b) {
  Ball r;
  arb_mul(r.raw(), a.raw(), b.raw(), precision);
  return r;
}

// A polynomial of Arb.
class Poly {
public:
  Poly() { arb_poly_init(value_); }
  ~Poly() { arb_poly_clear(value_); }
  Poly(const Poly&) = delete;
  Poly& operator=(const Poly&) = delete;
  arb_poly_struct* raw() { return value_; }
  Ball coefficient(size_t k) const {
    Ball c;
    arb_poly_get_coeff_arb(c.raw(), value_, slong(k));
    return c;
  }

private:
  arb_poly_t value_;
};

// The first coefficients of an operation's Taylor series at a center, which may be a range.
std::vector<Ball> taylor(Op op, const Ball& center, size_t count, long precision = model_precision) {
  Poly x, r;
  arb_poly_set_coeff_arb(x.raw(), 0, center.raw());
  arb_poly_set_coeff_si(x.raw(), 1, 1);
  const slong n = slong(count);
  const auto plus = [&](long number) {
    Poly shift;
    arb_poly_set_coeff_si(shift.raw(), 0, number);
    arb_poly_add(x.raw(), x.raw(), shift.raw(), precision);
  };
  const auto minus_one = [&] {
    Poly one;
    arb_poly_set_coeff_si(one.raw(), 0, -1);
    arb_poly_add(r.raw(), r.raw(), one.raw(), precision);
  };
  // The integral of 1 / (1 + sign x^2) or of its root.
  const auto from_slope = [&](long sign, bool root) {
    Poly square, one;
    arb_poly_mullow(square.raw(), x.raw(), x.raw(), n, precision);
    if (sign < 0)
      arb_poly_neg(square.raw(), square.raw());
    arb_poly_set_coeff_si(one.raw(), 0, 1);
    arb_poly_add(square.raw(), square.raw(), one.raw(), precision);
    if (root)
      arb_poly_rsqrt_series(r.raw(), square.raw(), n, precision);
    else
      arb_poly_inv_series(r.raw(), square.raw(), n, precision);
    arb_poly_integral(r.raw(), r.raw(), precision);
    const Ball* operands[] = {&center};
    const Ball first = enclosure(op, operands, precision);
    arb_poly_set_coeff_arb(r.raw(), 0, first.raw());
  };
  switch (op) {
  case Op::fdiv: // 1 / x
    arb_poly_inv_series(r.raw(), x.raw(), n, precision);
    break;
  case Op::sqrt:
    arb_poly_sqrt_series(r.raw(), x.raw(), n, precision);
    break;
  case Op::cbrt: {
    Ball third(1L);
    arb_div_ui(third.raw(), third.raw(), 3, precision);
    arb_poly_pow_arb_series(r.raw(), x.raw(), third.raw(), n, precision);
    break;
  }
  case Op::exp:
    arb_poly_exp_series(r.raw(), x.raw(), n, precision);
    break;
  case Op::expm1:
    arb_poly_exp_series(r.raw(), x.raw(), n, precision);
    minus_one();
    break;
  case Op::log1p:
    plus(1);
    [[fallthrough]];
  case Op::log:
    arb_poly_log_series(r.raw(), x.raw(), n, precision);
    break;
  case Op::sin:
    arb_poly_sin_series(r.raw(), x.raw(), n, precision);
    break;
  case Op::cos:
    arb_poly_cos_series(r.raw(), x.raw(), n, precision);
    break;
  case Op::tan:
    arb_poly_tan_series(r.raw(), x.raw(), n, precision);
    break;
  case Op::asin:
    from_slope(-1, true);
    break;
  case Op::acos:
    from_slope(-1, true);
    for (size_t k = 1; k < count; ++k) {
      Ball c = r.coefficient(k);
      arb_neg(c.raw(), c.raw());
      arb_poly_set_coeff_arb(r.raw(), slong(k), c.raw());
    }
    break;
  case Op::atan:
    arb_poly_atan_series(r.raw(), x.raw(), n, precision);
    break;
  case Op::sinh:
    arb_poly_sinh_series(r.raw(), x.raw(), n, precision);
    break;
  case Op::cosh:
    arb_poly_cosh_series(r.raw(), x.raw(), n, precision);
    break;
  case Op::tanh: {
    Poly s, c;
    arb_poly_sinh_cosh_series(s.raw(), c.raw(), x.raw(), n, precision);
    arb_poly_div_series(r.raw(), s.raw(), c.raw(), n, precision);
    break;
  }
  case Op::asinh:
    from_slope(1, true);
    break;
  case Op::atanh:
    from_slope(-1, false);
    break;
  case Op::erf:
    arb_hypgeom_erf_series(r.raw(), x.raw(), n, precision);
    break;
  case Op::erfc:
    arb_hypgeom_erfc_series(r.raw(), x.raw(), n, precision);
    break;
  case Op::tgamma:
    arb_poly_gamma_series(r.raw(), x.raw(), n, precision);
    break;
  case Op::lgamma:
    arb_poly_lgamma_series(r.raw(), x.raw(), n, precision);
    break;
  default:
    throw NoModel{};
  }
  std::vector<Ball> coefficients;
  for (size_t k = 0; k < count; ++k)
    coefficients.push_back(r.coefficient(k));
  return coefficients;
}

class Modeller {
public:
  Modeller(const Term& argument, const mpq_class& center, Value radius) : argument_(argument), center_(center) {
    arb_set_d(ts_.raw(), 0);
    mag_set_d(arb_radref(ts_.raw()), double(radius)); // rounded up
  }
  bool exact() const { return exact_; }

  Model of(const Term& term) {
    if (term == argument_) {
      Model m;
      m.coefficients[0] = enclosure(Term::number(center_), {}, precision);
      m.coefficients[1] = Ball(1L);
      return stripped(m);
    }
    switch (term.kind()) {
    case Term::Kind::number:
    case Term::Kind::pi: {
      Model m;
      m.coefficients[0] = enclosure(term, {}, precision);
      return m;
    }
    case Term::Kind::doubled:
      return of(term.operand(0));
    case Term::Kind::variable:
      throw NoModel{};
    case Term::Kind::operation:
      break;
    }
    const auto part = [&](size_t which) { return of(term.operand(which)); };
    switch (term.op()) {
    case Op::fadd:
      return add(part(0), part(1), 1);
    case Op::fsub:
      return add(part(0), part(1), -1);
    case Op::fmul:
      return multiply(part(0), part(1));
    case Op::fma:
      return add(multiply(part(0), part(1)), part(2), 1);
    case Op::fdiv:
      return multiply(part(0), inverse(part(1)));
    case Op::fneg:
      return scaled(part(0), -1);
    case Op::hypot: {
      const Model a = part(0), b = part(1L);
      return compose(Op::sqrt, add(multiply(a, a), multiply(b, b), 1));
    }
    case Op::pow:
      return power(term);
    default:
      if (term.operands().size() != 1)
        throw NoModel{};
      return compose(term.op(), part(0));
    }
  }

  // All values of the part after t^valuation.
  Ball range(const Model& m) const {
    Ball r = m.rest;
    for (size_t k = order; k-- > 0;)
      r = sum(product(r, ts_), m.coefficients[k]);
    return r;
  }
  const Ball& ts() const { return ts_; }

private:
  Model scaled(Model m, long factor) const {
    for (Ball& c : m.coefficients)
      arb_mul_si(c.raw(), c.raw(), factor, precision);
    arb_mul_si(m.rest.raw(), m.rest.raw(), factor, precision);
    return m;
  }
  // Multiplies by t^shift what stands behind the valuation: the same function.
  Model lowered(const Model& m, long shift) const {
    Model r;
    r.valuation = m.valuation - shift;
    if (shift >= long(order))
      throw NoModel{};
    for (size_t k = 0; k + size_t(shift) < order; ++k)
      r.coefficients[k + size_t(shift)] = m.coefficients[k];
    Ball rest = m.rest; // t^order * (c + t * (...)), from the inner one
    for (size_t k = order; k-- > order - size_t(shift);)
      rest = sum(product(rest, ts_), m.coefficients[k]);
    r.rest = rest;
    return r;
  }
  // Moves powers of t out, where leading coefficients are zero.
  Model stripped(const Model& m) {
    size_t zeros = 0;
    while (zeros < order && vanishes(m.coefficients[zeros]))
      ++zeros;
    if (zeros == 0)
      return m;
    if (zeros >= order - 2)
      throw NoModel{};
    Model r;
    r.valuation = m.valuation + long(zeros);
    for (size_t k = zeros; k < order; ++k)
      r.coefficients[k - zeros] = m.coefficients[k];
    // The missing coefficients are zero, and the rest stands at t^(order - zeros).
    r.coefficients[order - zeros] = m.rest;
    for (size_t k = order - zeros + 1; k < order; ++k)
      r.coefficients[k] = Ball();
    return r;
  }
  bool vanishes(const Ball& c) {
    if (c.is_zero())
      return true;
    if (!c.contains_zero() || c.radius_exponent() > -200)
      return false;
    exact_ = false; // likely zero, but not proved
    return true;
  }
  Model add(Model a, Model b, long sign) {
    if (sign < 0)
      b = scaled(b, -1);
    const long low = std::min(a.valuation, b.valuation);
    a = lowered(a, a.valuation - low);
    b = lowered(b, b.valuation - low);
    for (size_t k = 0; k < order; ++k)
      a.coefficients[k] = sum(a.coefficients[k], b.coefficients[k]);
    a.rest = sum(a.rest, b.rest);
    bool all_zero = a.rest.is_zero();
    for (const Ball& c : a.coefficients)
      all_zero &= c.is_zero();
    return all_zero ? a : stripped(a);
  }
  Model multiply(const Model& a, const Model& b) const {
    Model r;
    r.valuation = a.valuation + b.valuation;
    std::vector<Ball> all(2 * order - 1);
    for (size_t i = 0; i < order; ++i)
      if (!a.coefficients[i].is_zero())
        for (size_t j = 0; j < order; ++j)
          arb_addmul(all[i + j].raw(), a.coefficients[i].raw(), b.coefficients[j].raw(), precision);
    Ball rest;
    for (size_t k = 2 * order - 1; k-- > order;)
      rest = sum(product(rest, ts_), all[k]);
    std::copy(all.begin(), all.begin() + order, r.coefficients.begin());
    // a * rest_b + b * rest_a, where b * rest_a includes both rests' product.
    Ball a_part;
    for (size_t k = order; k-- > 0;)
      a_part = sum(product(a_part, ts_), a.coefficients[k]);
    rest = sum(rest, sum(product(a_part, b.rest), product(range(b), a.rest)));
    r.rest = rest;
    return r;
  }
  Model inverse(const Model& m) {
    Model r = compose_regular(Op::fdiv, m, m.coefficients[0]);
    r.valuation = -m.valuation;
    return r;
  }
  Model compose(Op op, const Model& m) {
    if (m.valuation > 0 && op == Op::sqrt) {
      if (m.valuation % 2 != 0)
        throw NoModel{};
      throw NoModel{}; // |t|^k: not analytic
    }
    if (m.valuation > 0 && op == Op::cbrt && m.valuation % 3 == 0) {
      Model r = compose_regular(op, m, m.coefficients[0]);
      r.valuation = m.valuation / 3;
      return r;
    }
    if (m.valuation < 0)
      throw NoModel{};
    const Model whole = lowered(m, m.valuation);
    return stripped(compose_regular(op, whole, whole.coefficients[0]));
  }
  // op(c + rest of the model): Taylor's formula with Lagrange's remainder.
  Model compose_regular(Op op, const Model& m, const Ball& c) {
    const std::vector<Ball> g = taylor(op, c, order);
    const Ball remainder = last_coefficient(op, range(m));
    if (!remainder.is_finite())
      throw NoModel{};
    Model h = m; // without its constant: a multiple of t
    h.valuation = 0;
    h.coefficients[0] = Ball();
    Model r;
    r.coefficients[0] = g[order - 1];
    // g_0 + h (g_1 + h (... + h^order * remainder)): Horner, with the remainder's power of t kept apart.
    for (size_t k = order - 1; k-- > 0;) {
      r = multiply(r, h);
      r.coefficients[0] = sum(r.coefficients[0], g[k]);
    }
    // h^order = t^order (h / t)^order.
    Ball slope, power(1L);
    for (size_t k = order; k-- > 1;)
      slope = sum(product(slope, ts_), h.coefficients[k]);
    {
      Ball last = h.rest, t(1L);
      for (size_t k = 1; k < order; ++k)
        t = product(t, ts_);
      slope = sum(slope, product(last, t));
    }
    arb_pow_ui(power.raw(), slope.raw(), order, precision);
    r.rest = sum(r.rest, product(remainder, power));
    return r;
  }
  // Of the Taylor series at any point of the range, by parts: over a wide ball its bound is far too large.
  static Ball last_coefficient(Op op, const Ball& range) {
    constexpr int parts = 32;
    constexpr long low_precision = 64;
    Ball all;
    arf_t low, high, at, next;
    arf_init(low), arf_init(high), arf_init(at), arf_init(next);
    arb_get_interval_arf(low, high, range.raw(), low_precision);
    for (int i = 0; i < parts; ++i) {
      const auto border = [&](arf_t to, int k) {
        arf_sub(to, high, low, low_precision, ARF_RND_NEAR);
        arf_mul_si(to, to, k, low_precision, ARF_RND_NEAR);
        arf_div_si(to, to, parts, low_precision, ARF_RND_NEAR);
        arf_add(to, to, low, low_precision, ARF_RND_NEAR);
      };
      border(at, i);
      border(next, i + 1);
      if (i + 1 == parts)
        arf_set(next, high);
      Ball part;
      arb_set_interval_arf(part.raw(), at, next, low_precision);
      const Ball coefficient = taylor(op, part, order + 1, low_precision)[order];
      if (i == 0)
        all = coefficient;
      else
        arb_union(all.raw(), all.raw(), coefficient.raw(), low_precision);
      if (!all.is_finite())
        break;
    }
    arf_clear(low), arf_clear(high), arf_clear(at), arf_clear(next);
    return all;
  }
  Model power(const Term& term) {
    const Term& exponent = term.operand(1);
    if (exponent.is_number() && exponent.value().get_den() == 1 && abs(exponent.value()) <= 12) {
      const long n = exponent.value().get_num().get_si();
      const Model base = n < 0 ? inverse(of(term.operand(0))) : of(term.operand(0));
      Model r;
      r.coefficients[0] = Ball(1L);
      for (long i = 0; i < std::abs(n); ++i)
        r = multiply(r, base);
      return r;
    }
    const Model logarithm = compose(Op::log, of(term.operand(0)));
    return compose(Op::exp, multiply(of(exponent), logarithm));
  }

  Term argument_;
  mpq_class center_;
  Ball ts_; // [-radius, radius]
  bool exact_ = true;
};

// An upper bound of |x|.
double upper(const Ball& x) {
  arf_t bound;
  arf_init(bound);
  arb_get_abs_ubound_arf(bound, x.raw(), 53);
  const double value = arf_get_d(bound, ARF_RND_UP);
  arf_clear(bound);
  return value;
}
double lower(const Ball& x) {
  arf_t bound;
  arf_init(bound);
  arb_get_abs_lbound_arf(bound, x.raw(), 53);
  const double value = arf_get_d(bound, ARF_RND_DOWN);
  arf_clear(bound);
  return value;
}

// A fraction with a small denominator that the ball holds.
std::optional<mpq_class> small_fraction(const Ball& x) {
  for (long d = 1; d <= 5040; ++d) {
    Ball scaled;
    arb_mul_si(scaled.raw(), x.raw(), d, precision);
    fmpz_t whole;
    fmpz_init(whole);
    const bool found = arb_get_unique_fmpz(whole, scaled.raw());
    mpz_class n;
    fmpz_get_mpz(n.get_mpz_t(), whole);
    fmpz_clear(whole);
    if (found && abs(n) < 100'000) {
      mpq_class q(n, d);
      q.canonicalize();
      return q;
    }
  }
  return std::nullopt;
}

// The decimal with the fewest digits within `error` of x.
mpq_class round_decimal(const Ball& x, double error, Format format) {
  const Value value = numeric::rounded(x.middle().raw(), Format::extended80);
  for (int digits = 1; digits <= 17; ++digits) {
    const Value candidate = numeric::nearest(numeric::rounded_decimal(value, digits), format);
    Ball difference(candidate);
    arb_sub(difference.raw(), difference.raw(), x.raw(), precision);
    if (upper(difference) <= error)
      return Term::number_of(candidate).value();
  }
  return Term::number_of(numeric::rounded(x.middle().raw(), format)).value();
}

Term power_of(const Term& x, long exponent) {
  const Term half = exponent > 1 ? power_of(x, exponent / 2) : x;
  return exponent == 1 ? x : exponent % 2 == 0 ? half * half : x * (half * half);
}

struct Fit {
  size_t degree = 0;
  double remainder = 0;
};

class Builder {
public:
  Builder(const Model& model, const Modeller& modeller, const Term& argument, const mpq_class& center, Value radius,
          Format format)
      : model_(model), modeller_(modeller), argument_(argument), center_(center), radius_(double(radius)),
        format_(format), least_(lower(modeller.range(model))) {}

  // The lowest degree with a remainder below a quarter of the format's epsilon.
  std::optional<Series> series(const Term& function, bool proved) {
    if (!(least_ > 0))
      return std::nullopt;
    const double wanted = numeric::epsilon(format_) / 8;
    double rest = upper(model_.rest) * std::pow(radius_, double(order));
    size_t degree = order;
    while (degree > 1) {
      const double next = rest + upper(model_.coefficients[degree - 1]) * std::pow(radius_, double(degree - 1));
      if (next > wanted * least_)
        break;
      rest = next;
      --degree;
    }
    constexpr size_t highest = 40;
    if (!std::isfinite(rest) || rest > wanted * least_ || degree > highest)
      return std::nullopt;
    const size_t count = degree; // coefficients 0 .. degree - 1
    double rounding = 0;
    std::vector<mpq_class> coefficients;
    for (size_t k = 0; k < count; ++k) {
      const double reach = std::pow(radius_, double(k));
      const auto fraction = small_fraction(model_.coefficients[k]);
      const mpq_class c = fraction ? *fraction
                                   : round_decimal(model_.coefficients[k], wanted * least_ / (double(count) * reach), format_);
      Ball difference = enclosure(Term::number(c), {}, precision);
      arb_sub(difference.raw(), difference.raw(), model_.coefficients[k].raw(), precision);
      // A coefficient of one term after the first may be off by a rounding; the first one counts like other roundings.
      if (!fraction)
        rounding += upper(difference) * reach;
      coefficients.push_back(c);
    }
    return Series{function,
                  tidied(polynomial(coefficients)),
                  argument_,
                  center_,
                  Value(radius_),
                  (rest + rounding) / least_ * (1 + 1e-10),
                  proved && modeller_.exact()};
  }

private:
  Term polynomial(const std::vector<mpq_class>& c) const {
    const Term t = center_ == 0 ? argument_ : argument_ - Term::number(center_);
    bool even = true; // only even powers after the valuation
    for (size_t k = 1; k < c.size(); k += 2)
      even &= c[k] == 0;
    const size_t step = even ? 2 : 1;
    const Term q = even ? t * t : t;
    std::optional<Term> tail; // c_1 q + c_2 q^2 + ..., without its first q
    for (size_t k = (c.size() - 1) / step * step; k >= step; k -= step) {
      const Term number = Term::number(c[k]);
      tail = tail ? (c[k] == 0 ? *tail * q : number + *tail * q) : number;
    }
    return with_power(t, c[0], tail ? std::optional(*tail * q) : std::nullopt);
  }
  // t^valuation * (first + tail)
  Term with_power(const Term& t, const mpq_class& first, const std::optional<Term>& tail) const {
    const Term number = Term::number(first);
    const long n = model_.valuation;
    if (n == 0)
      return tail ? number + *tail : number;
    const Term power = power_of(t, std::abs(n));
    if (n > 0 && first == 1)
      return tail ? power + power * *tail : power;
    const Term inner = tail ? number + *tail : number;
    return n < 0 ? inner / power : power * inner;
  }

  const Model& model_;
  const Modeller& modeller_;
  Term argument_;
  mpq_class center_;
  double radius_;
  Format format_;
  double least_;
};

bool depends_only_on(const Term& term, const Term& argument) {
  if (term == argument)
    return true;
  if (term.is_variable())
    return false;
  return std::all_of(term.operands().begin(), term.operands().end(),
                     [&](const Term& operand) { return depends_only_on(operand, argument); });
}

void parts_of(const Term& term, std::vector<Term>& found) {
  if (std::find(found.begin(), found.end(), term) == found.end())
    found.push_back(term);
  for (const Term& operand : term.operands())
    parts_of(operand, found);
}

int places_of(const Term& term, const Term& part) {
  if (term == part)
    return 1;
  int count = 0;
  for (const Term& operand : term.operands())
    count += places_of(operand, part);
  return count;
}

} // namespace

bool Series::covers(const Point& point, Format format) const {
  const Value at = evaluate(argument, point, format), middle = evaluate(Term::number(center), point, format);
  return std::fabs(at - middle) < radius;
}

std::vector<Series> series_of(const Term& function, const Term& argument, const mpq_class& center, Format format) {
  std::vector<Series> found;
  for (const Value radius : {1.0L, 0.5L, 0.25L, 0.1L, 0.03125L, 0.01L, 1e-3L, 1e-4L, 1e-6L, 1e-8L}) {
    try {
      Modeller modeller(argument, center, radius);
      const Model model = modeller.of(function);
      Builder builder(model, modeller, argument, center, radius, format);
      auto series = builder.series(function, true);
      if (series && (found.empty() || !(found.back().polynomial == series->polynomial)))
        found.push_back(std::move(*series));
    } catch (const NoModel&) {
    }
  }
  return found;
}

std::vector<Series> all_series(const Term& term, Format format) {
  std::vector<Term> parts;
  parts_of(term, parts);
  std::vector<Series> found;
  for (const Term& function : parts) {
    if (function.kind() != Term::Kind::operation || function.size() < 4)
      continue;
    std::vector<Term> arguments;
    parts_of(function, arguments);
    for (const Term& argument : arguments) {
      const bool compound = argument.kind() == Term::Kind::operation;
      if (argument == function || (!compound && !argument.is_variable()) || !depends_only_on(function, argument))
        continue;
      if (compound && (places_of(function, argument) < 2 || variables_of(argument).size() < 2))
        continue; // its variable serves as well
      for (const long center : {0, 1, -1})
        for (Series& series : series_of(function, argument, center, format))
          found.push_back(std::move(series));
    }
  }
  return found;
}

bool Series::is_short() const {
  constexpr int size = 6; // nodes: x * (1 - x * x) is no longer a part that occurs by chance
  return polynomial.size() < size;
}

bool uses(const Term& term, const Series& series) {
  if (term == series.polynomial || term == tidied(-series.polynomial))
    return true;
  return !series.is_short() && term.size() > series.polynomial.size() &&
         std::any_of(term.operands().begin(), term.operands().end(),
                     [&](const Term& operand) { return uses(operand, series); });
}

} // namespace faultline::fix
