#include "explain/rewrite.h"
#include "ops/table.h"

#include <algorithm>
#include <cmath>

namespace faultline::explain {

using ops::Op;

namespace {

// Returns t where the operand is 1 + t.
std::optional<Expression> beyond_one(Sketch& s, uint32_t operand) {
  const std::vector<Term> terms = s.terms(operand);
  for (size_t i = 0; i < terms.size(); ++i)
    if (!terms[i].negative && s.is(terms[i].operand, 1))
      return s.term(terms[1 - i]);
  return std::nullopt;
}

// log(exp(p) + exp(q)); log(1 + exp(q)) with p = 0.
void of_sums_of_exponentials(Sketch& s, uint32_t sum, std::vector<Rewrite>& found) {
  const std::vector<Term> terms = s.terms(sum);
  if (terms.size() != 2 || terms[0].negative || terms[1].negative)
    return;
  std::vector<Expression> exponents;
  for (const Term& term : terms)
    if (s.op(term.operand) == Op::exp)
      exponents.push_back(s.read(s.a(term.operand)));
    else if (s.is(term.operand, 1))
      exponents.push_back(s.number(0));
  if (exponents.size() != 2)
    return;
  const Expression &p = exponents[0], &q = exponents[1];
  const Expression distance = s.call(Op::fabs, s.sub(p, q));
  found.push_back({"shifted exponentials", s.call(Op::log, s.add(s.term(terms[0]), s.term(terms[1]))),
                   s.add(s.call(Op::fmax, p, q), s.call(Op::log1p, s.call(Op::exp, s.negative(distance))))});
}

// log(p * q * ...): the sum of the logarithms stays in range.
void of_a_product(Sketch& s, uint32_t product, std::vector<Rewrite>& found) {
  constexpr size_t spelled_out = 3;
  std::vector<uint32_t> factors = s.leaves(product, Op::fmul);
  std::erase_if(factors, [&](uint32_t factor) { return s.is(factor, 1); });
  if (factors.size() < 2)
    return;
  std::optional<Expression> before, after;
  for (const uint32_t factor : factors) {
    const Expression x = s.read(factor), logarithm = s.call(Op::log, x);
    before = before ? s.mul(*before, x) : x;
    after = after ? s.add(*after, logarithm) : logarithm;
  }
  if (factors.size() > spelled_out) {
    const Expression first = s.read(factors[0]), second = s.read(factors[1]);
    before->text = s.mul(first, second).text + " * ...";
    after->text = s.add(s.call(Op::log, first), s.call(Op::log, second)).text + " + ...";
  }
  found.push_back({"sum of logarithms", s.call(Op::log, *before), *after});
}

void of_a_logarithm(Sketch& s, uint32_t record, std::vector<Rewrite>& found) {
  const uint32_t x = s.a(record);
  const Expression one = s.number(1);
  if (const auto t = beyond_one(s, x))
    found.push_back({"log1p", s.call(Op::log, s.add(one, *t)), s.call(Op::log1p, *t)});
  if (s.op(x) == Op::fdiv) {
    const Expression p = s.read(s.a(x)), q = s.read(s.b(x));
    const numeric::Value ratio = s.value(s.a(x)) / s.value(s.b(x));
    found.push_back({"log1p", s.call(Op::log, s.div(p, q)), s.call(Op::log1p, s.div(s.difference(s.a(x), s.b(x)), q)),
                     1, Guard{s.div(p, q).text + " is between 0.5 and 2", ratio > 0.5L && ratio < 2}});
  }
  of_sums_of_exponentials(s, x, found);
  of_a_product(s, x, found);
}

void of_a_power(Sketch& s, uint32_t record, std::vector<Rewrite>& found) {
  if (const auto t = beyond_one(s, s.a(record))) {
    const Expression y = s.read(s.b(record));
    found.push_back(
        {"log1p", s.call(Op::pow, s.add(s.number(1), *t), y), s.call(Op::exp, s.mul(y, s.call(Op::log1p, *t)))});
  }
}

// acos(1 - t), acosh(1 + t).
void of_an_inverse(Sketch& s, uint32_t record, std::vector<Rewrite>& found) {
  const Op f = s.op(record);
  const auto t = beyond_one(s, s.a(record));
  if (!t)
    return;
  const Expression kept = s.call(f, s.add(s.number(1), *t)), two = s.number(2);
  if (f == Op::acos)
    found.push_back({"half-angle", kept, s.mul(two, s.call(Op::asin, s.call(Op::sqrt, s.div(s.negative(*t), two))))});
  else
    found.push_back({"log1p", kept, s.call(Op::log1p, s.add(*t, s.call(Op::sqrt, s.mul(*t, s.add(two, *t)))))});
}

// sqrt(p^2 + q^2 + r^2 + ...): as nested hypots.
void of_a_length(Sketch& s, uint32_t sum, std::vector<Rewrite>& found) {
  constexpr size_t most_terms = 8;
  const std::vector<uint32_t> squares = s.leaves(sum, Op::fadd);
  if (squares.size() < 3 || squares.size() > most_terms)
    return;
  std::optional<Expression> before, after;
  for (const uint32_t square : squares) {
    const std::optional<uint32_t> root = s.squared(square);
    if (!root)
      return;
    const Expression x = s.read(*root), xx = s.mul(x, x);
    before = before ? s.add(*before, xx) : xx;
    after = after ? s.call(Op::hypot, *after, x) : x;
  }
  found.push_back({"hypot", s.call(Op::sqrt, *before), *after, 1});
}

// sqrt(p^2 + q^2), whose squares leave the range long before the root does.
void of_a_root(Sketch& s, uint32_t record, std::vector<Rewrite>& found) {
  const uint32_t sum = s.a(record);
  of_a_length(s, sum, found);
  auto root = [&](uint32_t square) { return s.squared(square); };
  std::optional<uint32_t> p, q;
  if (s.op(sum) == Op::fadd) {
    p = root(s.a(sum));
    q = root(s.b(sum));
  } else if (s.op(sum) == Op::fma && s.same(s.a(sum), s.b(sum))) {
    p = s.a(sum);
    q = root(s.c(sum));
  }
  if (p && q) {
    const Expression u = s.read(*p), v = s.read(*q);
    found.push_back({"hypot", s.call(Op::sqrt, s.add(s.mul(u, u), s.mul(v, v))), s.call(Op::hypot, u, v)});
  }
  // sqrt(p^2 + 1) and similar
  for (const std::vector<Term> terms = s.terms(sum); size_t i : {size_t(0), size_t(1)})
    if (i < terms.size() && !terms[i].negative && !terms[1 - i].negative && runtime::is_constant(terms[i].operand))
      if (const auto base = root(terms[1 - i].operand)) {
        const Expression u = s.read(*base), constant = s.number(s.value(terms[i].operand));
        const Expression v = s.number(std::sqrt(s.value(terms[i].operand)));
        found.push_back({"hypot", s.call(Op::sqrt, s.add(s.mul(u, u), constant)), s.call(Op::hypot, u, v), 2});
      }
}

// exp(t) / (1 + exp(t)), whose parts overflow.
void of_a_logistic(Sketch& s, uint32_t record, std::vector<Rewrite>& found) {
  const uint32_t top = s.a(record);
  const std::vector<Term> terms = s.terms(s.b(record));
  for (size_t i = 0; i < terms.size(); ++i)
    if (s.op(top) == Op::exp && s.same(terms[i].operand, top) && !terms[i].negative && !terms[1 - i].negative &&
        s.is(terms[1 - i].operand, 1)) {
      const Expression t = s.read(s.a(top)), one = s.number(1), e = s.call(Op::exp, t);
      found.push_back(
          {"negative exponent", s.div(e, s.add(one, e)), s.div(one, s.add(one, s.call(Op::exp, s.negative(t))))});
    }
}

// (p * q) / r, whose product may leave the range: divides first.
void of_a_quotient(Sketch& s, uint32_t record, std::vector<Rewrite>& found) {
  of_a_logistic(s, record, found);
  const uint32_t product = s.a(record);
  if (s.op(product) != Op::fmul)
    return;
  const Expression p = s.read(s.a(product)), q = s.read(s.b(product)), r = s.read(s.b(record));
  const Expression kept = s.div(s.mul(p, q), r);
  found.push_back({"divide first", kept, s.mul(s.div(p, r), q)});
  found.push_back({"divide first", kept, s.mul(s.div(q, r), p), 1});
}

// (p + q) / 2, whose sum may leave the range.
void of_a_mean(Sketch& s, uint32_t record, std::vector<Rewrite>& found) {
  const bool halves = (s.op(record) == Op::fmul && (s.is(s.a(record), 0.5L) || s.is(s.b(record), 0.5L))) ||
                      (s.op(record) == Op::fdiv && s.is(s.b(record), 2));
  const uint32_t sum = s.op(record) == Op::fmul && s.is(s.a(record), 0.5L) ? s.b(record) : s.a(record);
  const std::vector<Term> terms = s.terms(sum);
  if (!halves || terms.empty())
    return;
  const Expression p = s.term(terms[0]), q = s.term(terms[1]), two = s.number(2);
  found.push_back({"divide first", s.div(s.add(p, q), two), s.add(s.div(p, two), s.div(q, two)), 2});
}

// Rules for the same operation are offered in this order.
struct Rule {
  Op op;
  void (*apply)(Sketch& s, uint32_t record, std::vector<Rewrite>& found);
};
constexpr Rule rules[] = {{Op::log, of_a_logarithm}, {Op::pow, of_a_power},      {Op::powi, of_a_power},
                          {Op::acos, of_an_inverse}, {Op::acosh, of_an_inverse}, {Op::sqrt, of_a_root},
                          {Op::fdiv, of_a_quotient}, {Op::fdiv, of_a_mean},      {Op::fmul, of_a_mean}};

// True if the operand is the sum of these two with these signs.
bool is_sum(const Sketch& s, uint32_t operand, uint32_t x, bool x_negative, numeric::Value constant, bool negative) {
  const std::vector<Term> terms = s.terms(operand);
  for (size_t i = 0; i < terms.size(); ++i)
    if (s.same(terms[i].operand, x) && terms[i].negative == x_negative && s.is(terms[1 - i].operand, constant) &&
        terms[1 - i].negative == negative)
      return true;
  return false;
}

// True if the operand is the square of x, plus or minus 1.
bool is_square_and_one(const Sketch& s, uint32_t sum, uint32_t x, bool minus) {
  const std::vector<Term> terms = s.terms(sum);
  for (size_t i = 0; i < terms.size(); ++i)
    if (const auto root = s.squared(terms[i].operand))
      if (s.same(*root, x) && is_sum(s, sum, terms[i].operand, false, 1, minus))
        return true;
  return false;
}

// log(x + sqrt(x^2 + 1)), log(x + sqrt(x^2 - 1)).
void of_a_sum_with_a_root(Sketch& s, uint32_t record, std::vector<Rewrite>& found) {
  const std::vector<Term> terms = s.terms(s.a(record));
  for (size_t i = 0; i < terms.size(); ++i) {
    const Term& x = terms[i];
    const Term& root = terms[1 - i];
    if (x.negative || root.negative || s.op(root.operand) != Op::sqrt)
      continue;
    for (const bool minus : {false, true})
      if (is_square_and_one(s, s.a(root.operand), x.operand, minus)) {
        const Expression t = s.read(x.operand), one = s.number(1), square = s.mul(t, t);
        const Expression under = minus ? s.sub(square, one) : s.add(square, one);
        found.push_back({minus ? "acosh" : "asinh", s.call(Op::log, s.add(t, s.call(Op::sqrt, under))),
                         s.call(minus ? Op::acosh : Op::asinh, t)});
      }
  }
}

// Returns x where one operand is 1 + x and the other one is 1 - x.
std::optional<uint32_t> around_one(const Sketch& s, uint32_t above, uint32_t below) {
  for (const Term& term : s.terms(above))
    if (!s.is(term.operand, 1) && is_sum(s, above, term.operand, false, 1, false) &&
        is_sum(s, below, term.operand, true, 1, false))
      return term.operand;
  return std::nullopt;
}

// log((1 + x) / (1 - x)), log(1 + x) - log(1 - x), log1p(x) - log1p(-x).
void of_a_ratio(Sketch& s, uint32_t record, std::vector<Rewrite>& found) {
  const bool quotient = s.op(record) == Op::log && s.op(s.a(record)) == Op::fdiv;
  const bool difference = s.op(record) == Op::fsub && s.op(s.a(record)) == Op::log && s.op(s.b(record)) == Op::log;
  if (!quotient && !difference)
    return;
  const uint32_t above = s.a(s.a(record)), below = quotient ? s.b(s.a(record)) : s.a(s.b(record));
  if (const auto x = around_one(s, above, below)) {
    const Expression t = s.read(*x), one = s.number(1), p = s.add(one, t), q = s.sub(one, t);
    found.push_back({"atanh", quotient ? s.call(Op::log, s.div(p, q)) : s.sub(s.call(Op::log, p), s.call(Op::log, q)),
                     s.mul(s.number(2), s.call(Op::atanh, t))});
  }
}

void of_a_spelled_logarithm(Sketch& s, uint32_t record, std::vector<Rewrite>& found) {
  of_a_sum_with_a_root(s, record, found);
  of_a_ratio(s, record, found);
}

// exp(t) - exp(-t).
void of_exponentials(Sketch& s, uint32_t record, std::vector<Rewrite>& found) {
  of_a_ratio(s, record, found);
  const uint32_t x = s.a(record), y = s.b(record);
  if (s.op(x) != Op::exp || s.op(y) != Op::exp || s.op(s.a(y)) != Op::fneg || !s.same(s.a(s.a(y)), s.a(x)))
    return;
  const Expression t = s.read(s.a(x));
  found.push_back(
      {"sinh", s.sub(s.call(Op::exp, t), s.call(Op::exp, s.negative(t))), s.mul(s.number(2), s.call(Op::sinh, t))});
}

// atanh(p / sqrt(p^2 + q^2)): the quotient is next to 1 where q is small.
void of_a_speed(Sketch& s, uint32_t record, std::vector<Rewrite>& found) {
  const uint32_t ratio = s.a(record);
  if (s.op(ratio) != Op::fdiv || s.op(s.b(ratio)) != Op::sqrt)
    return;
  const std::vector<Term> terms = s.terms(s.a(s.b(ratio)));
  for (size_t i = 0; i < terms.size(); ++i) {
    const auto p = s.squared(terms[i].operand), q = s.squared(terms[1 - i].operand);
    if (terms[0].negative || terms[1].negative || !p || !q || !s.same(*p, s.a(ratio)))
      continue;
    const Expression u = s.read(*p), v = s.read(*q), root = s.call(Op::sqrt, s.add(s.mul(u, u), s.mul(v, v)));
    found.push_back({"asinh", s.call(Op::atanh, s.div(u, root)), s.call(Op::asinh, s.div(u, v)), 1,
                     Guard{v.text + " is above 0", s.value(*q) > 0}});
    return;
  }
}

// The arguments of the sines and cosines in a product; nothing if it has other factors.
struct Angles {
  std::vector<uint32_t> sines, cosines;
};
std::optional<Angles> angles_of(const Sketch& s, uint32_t product) {
  Angles angles;
  for (const uint32_t factor : s.leaves(product, Op::fmul))
    if (s.op(factor) == Op::sin)
      angles.sines.push_back(s.a(factor));
    else if (s.op(factor) == Op::cos)
      angles.cosines.push_back(s.a(factor));
    else
      return std::nullopt;
  return angles;
}

// acos(sin(p) * sin(q) + cos(p) * cos(q) * cos(d)): the haversine formula is accurate for small angles.
void of_a_great_circle(Sketch& s, uint32_t record, std::vector<Rewrite>& found) {
  const std::vector<Term> terms = s.terms(s.a(record));
  for (size_t i = 0; i < terms.size(); ++i) {
    const auto first = angles_of(s, terms[i].operand), second = angles_of(s, terms[1 - i].operand);
    if (terms[0].negative || terms[1].negative || !first || !second || first->sines.size() != 2 ||
        !first->cosines.empty() || !second->sines.empty() || second->cosines.size() != 3)
      continue;
    const uint32_t p = first->sines[0], q = first->sines[1];
    std::vector<uint32_t> rest = second->cosines;
    for (const uint32_t latitude : {p, q})
      if (const auto same = std::ranges::find_if(rest, [&](uint32_t each) { return s.same(each, latitude); });
          same != rest.end())
        rest.erase(same);
    if (rest.size() != 1)
      continue;
    const Expression u = s.read(p), v = s.read(q), d = s.read(rest[0]), two = s.number(2);
    auto haversine = [&](const Expression& angle) {
      const Expression half = s.call(Op::sin, s.div(angle, two));
      return s.mul(half, half);
    };
    const Expression cosines = s.mul(s.call(Op::cos, u), s.call(Op::cos, v));
    const Expression h = s.add(haversine(s.difference(q, p)), s.mul(cosines, haversine(d)));
    const Expression sines = s.mul(s.call(Op::sin, u), s.call(Op::sin, v));
    const Expression kept = s.call(Op::acos, s.add(sines, s.mul(cosines, s.call(Op::cos, d))));
    // Near the antipodes both formulas lose digits, in different ways.
    found.push_back({"haversine", kept, s.mul(two, s.call(Op::asin, s.call(Op::sqrt, h))), 0,
                     Guard{"the angle is less than 1", s.value(record) < 1}});
    return;
  }
}

} // namespace

std::vector<Rewrite> rewrites_of_functions(Sketch& sketch, uint32_t record) {
  std::vector<Rewrite> found;
  for (const Rule& rule : rules)
    if (rule.op == sketch.op(record))
      rule.apply(sketch, record, found);
  return found;
}

// Functions of libm in other terms: inverse hyperbolic ones as logarithms, sinh as a difference of exponentials; and
// the angle between two places on a sphere by the law of cosines.

std::vector<Rewrite> rewrites_of_inverses(Sketch& sketch, uint32_t record) {
  std::vector<Rewrite> found;
  if (sketch.op(record) == Op::log)
    of_a_spelled_logarithm(sketch, record, found);
  else if (sketch.op(record) == Op::fsub)
    of_exponentials(sketch, record, found);
  else if (sketch.op(record) == Op::atanh)
    of_a_speed(sketch, record, found);
  else if (sketch.op(record) == Op::acos)
    of_a_great_circle(sketch, record, found);
  return found;
}

} // namespace faultline::explain
