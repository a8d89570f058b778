// Functions of libm that code spells out: inverse hyperbolic ones as logarithms, sinh as a difference of exponentials;
// and the angle between two places on a sphere by the law of cosines.
#include "explain/rewrite.h"

#include <algorithm>
#include <cmath>

namespace faultline::explain {

using ops::Op;

namespace {

// Is the operand a sum of these two, with these signs?
bool is_sum(const Sketch& s, uint32_t operand, uint32_t x, bool x_negative, long double constant, bool negative) {
  const std::vector<Term> terms = s.terms(operand);
  for (size_t i = 0; i < terms.size(); ++i)
    if (s.same(terms[i].operand, x) && terms[i].negative == x_negative && s.is(terms[1 - i].operand, constant) &&
        terms[1 - i].negative == negative)
      return true;
  return false;
}

// Is it the square of x, plus or minus 1?
bool is_square_and_one(const Sketch& s, uint32_t sum, uint32_t x, bool minus) {
  const std::vector<Term> terms = s.terms(sum);
  for (size_t i = 0; i < terms.size(); ++i)
    if (const auto root = s.squared(terms[i].operand))
      if (s.same(*root, x) && is_sum(s, sum, terms[i].operand, false, 1, minus))
        return true;
  return false;
}

// log(x + sqrt(x^2 + 1)), log(x + sqrt(x^2 - 1)).
void of_a_root(Sketch& s, uint32_t record, std::vector<Rewritten>& found) {
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

// x where one operand is 1 + x and the other one 1 - x.
std::optional<uint32_t> around_one(const Sketch& s, uint32_t above, uint32_t below) {
  for (const Term& term : s.terms(above))
    if (!s.is(term.operand, 1) && is_sum(s, above, term.operand, false, 1, false) &&
        is_sum(s, below, term.operand, true, 1, false))
      return term.operand;
  return std::nullopt;
}

// log((1 + x) / (1 - x)), log(1 + x) - log(1 - x), log1p(x) - log1p(-x).
void of_a_ratio(Sketch& s, uint32_t record, std::vector<Rewritten>& found) {
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

void of_a_logarithm(Sketch& s, uint32_t record, std::vector<Rewritten>& found) {
  of_a_root(s, record, found);
  of_a_ratio(s, record, found);
}

// exp(t) - exp(-t).
void of_exponentials(Sketch& s, uint32_t record, std::vector<Rewritten>& found) {
  of_a_ratio(s, record, found);
  const uint32_t x = s.a(record), y = s.b(record);
  if (s.op(x) != Op::exp || s.op(y) != Op::exp || s.op(s.a(y)) != Op::fneg || !s.same(s.a(s.a(y)), s.a(x)))
    return;
  const Expression t = s.read(s.a(x));
  found.push_back(
      {"sinh", s.sub(s.call(Op::exp, t), s.call(Op::exp, s.negative(t))), s.mul(s.number(2), s.call(Op::sinh, t))});
}

// atanh(p / sqrt(p^2 + q^2)): the quotient is next to 1 where q is small.
void of_a_speed(Sketch& s, uint32_t record, std::vector<Rewritten>& found) {
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

// The arguments of the sines and cosines of a product; nothing if it has other factors.
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

// acos(sin(p) * sin(q) + cos(p) * cos(q) * cos(d)): the haversine formula keeps small angles.
void of_a_great_circle(Sketch& s, uint32_t record, std::vector<Rewritten>& found) {
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
    // Towards the antipodes both lose digits, each in its own way.
    found.push_back({"haversine", kept, s.mul(two, s.call(Op::asin, s.call(Op::sqrt, h))), 0,
                     Guard{"the angle is less than 1", s.value(record) < 1}});
    return;
  }
}

} // namespace

std::vector<Rewritten> rewrites_of_inverses(Sketch& sketch, uint32_t record) {
  std::vector<Rewritten> found;
  if (sketch.op(record) == Op::log)
    of_a_logarithm(sketch, record, found);
  else if (sketch.op(record) == Op::fsub)
    of_exponentials(sketch, record, found);
  else if (sketch.op(record) == Op::atanh)
    of_a_speed(sketch, record, found);
  else if (sketch.op(record) == Op::acos)
    of_a_great_circle(sketch, record, found);
  return found;
}

} // namespace faultline::explain
