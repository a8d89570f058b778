#include "explain/rewrite.h"

#include "ops/table.h"

#include <cmath>

namespace faultline::explain {

using ops::Op;

namespace {

// x - y.
class Difference {
public:
  Difference(Sketch& s, uint32_t record, uint32_t x, uint32_t y, std::vector<Rewrite>& found)
      : s(s), record(record), x(x), y(y), found(found) {}

  void rewrite() {
    with_one();
    of_equal_functions();
    of_roots();
    of_products();
    of_quotients();
    of_sums();
  }

private:
  void offer(const char* name, const Expression& before, const Expression& after, int variant = 0) {
    found.push_back({name, before, after, variant});
  }
  Expression square(const Expression& e) const { return s.mul(e, e); }
  Expression twice_square(const Expression& e) const { return s.mul(twice(e), e); }
  Expression half(const Expression& e) const { return s.div(e, s.number(2)); }
  Expression twice(const Expression& e) const { return s.mul(s.number(2), e); }

  // f(t) - 1 and 1 - f(t).
  void with_one() {
    if (s.is(y, 1) && ops::arity(s.op(x)) > 0)
      minus_one();
    if (s.is(x, 1) && ops::arity(s.op(y)) > 0)
      one_minus();
  }

  void minus_one() {
    const Expression one = s.number(1);
    const Op f = s.op(x);
    if (f == Op::exp || f == Op::cosh) {
      const Expression t = s.read(s.a(x));
      const Expression kept = s.sub(s.call(f, t), one);
      f == Op::exp ? offer("expm1", kept, s.call(Op::expm1, t))
                   : offer("half-angle", kept, twice_square(s.call(Op::sinh, half(t))));
    } else if (f == Op::exp2 || f == Op::exp10) {
      const Expression t = s.read(s.a(x)), base = s.number(f == Op::exp2 ? 2 : 10);
      offer("expm1", s.sub(s.call(f, t), one), s.call(Op::expm1, s.mul(t, s.call(Op::log, base))));
    } else if (f == Op::pow || f == Op::powi) {
      const Expression base = s.read(s.a(x)), t = s.read(s.b(x));
      offer("expm1", s.sub(s.call(Op::pow, base, t), one), s.call(Op::expm1, s.mul(t, logarithm(s.a(x)))));
    } else if (f == Op::fdiv) {
      const Expression n = s.read(s.a(x)), d = s.read(s.b(x));
      offer("common denominator", s.sub(s.div(n, d), one), s.div(s.difference(s.a(x), s.b(x)), d));
    }
  }

  Expression logarithm(uint32_t operand) {
    for (const std::vector<Term> terms = s.terms(operand); size_t i : {size_t(0), size_t(1)})
      if (i < terms.size() && !terms[i].negative && s.is(terms[i].operand, 1))
        return s.call(Op::log1p, s.term(terms[1 - i]));
    return s.call(Op::log, s.read(operand));
  }

  void one_minus() {
    const Expression one = s.number(1);
    const Op f = s.op(y);
    const Expression t = s.read(s.a(y));
    if (f == Op::exp)
      offer("expm1", s.sub(one, s.call(f, t)), s.negative(s.call(Op::expm1, t)));
    else if (f == Op::cos)
      offer("half-angle", s.sub(one, s.call(f, t)), twice_square(s.call(Op::sin, half(t))));
    else if (f == Op::cosh)
      offer("half-angle", s.sub(one, s.call(f, t)), s.negative(twice_square(s.call(Op::sinh, half(t)))));
    else if (f == Op::erf || f == Op::erfc)
      offer(f == Op::erf ? "erfc" : "erf", s.sub(one, s.call(f, t)), s.call(f == Op::erf ? Op::erfc : Op::erf, t));
    else if (f == Op::tanh)
      offer("exponential", s.sub(one, s.call(f, t)), s.div(s.number(2), s.add(one, s.call(Op::exp, twice(t)))));
    else if (f == Op::fmul && s.same(s.a(y), s.b(y)) && (s.op(s.a(y)) == Op::sin || s.op(s.a(y)) == Op::cos)) {
      const Op g = s.op(s.a(y));
      const Expression u = s.read(s.a(s.a(y)));
      offer("sin^2 + cos^2", s.sub(one, square(s.call(g, u))), square(s.call(g == Op::sin ? Op::cos : Op::sin, u)));
    } else if (f == Op::fdiv) {
      const Expression d = s.read(s.b(y));
      offer("common denominator", s.sub(one, s.div(t, d)), s.div(s.difference(s.b(y), s.a(y)), d));
    }
  }

  // f(p) - f(q).
  void of_equal_functions() {
    const Op f = s.op(x);
    if (f != s.op(y) || ops::arity(f) != 1)
      return;
    const Expression p = s.read(s.a(x)), q = s.read(s.a(y)), d = s.difference(s.a(x), s.a(y));
    const Expression kept = s.sub(s.call(f, p), s.call(f, q)), one = s.number(1);
    if (f == Op::sqrt)
      offer("rationalised difference", kept, s.div(d, s.add(s.call(f, p), s.call(f, q))));
    else if (f == Op::cbrt) {
      const Expression u = s.call(f, p), v = s.call(f, q);
      offer("rationalised difference", kept, s.div(d, s.add(s.add(s.mul(u, u), s.mul(u, v)), s.mul(v, v))));
    } else if (f == Op::exp)
      offer("expm1", kept, s.mul(s.call(f, q), s.call(Op::expm1, d)));
    else if (f == Op::log)
      offer("log1p", kept, s.call(Op::log1p, s.div(d, q)));
    else if (f == Op::sin)
      offer("half-angle", kept, s.mul(twice(s.call(Op::cos, half(s.add(p, q)))), s.call(Op::sin, half(d))));
    else if (f == Op::cos)
      offer("half-angle", kept, s.negative(s.mul(twice(s.call(Op::sin, half(s.add(p, q)))), s.call(Op::sin, half(d)))));
    else if (f == Op::tan)
      offer("sine of the difference", kept, s.div(s.call(Op::sin, d), s.mul(s.call(Op::cos, p), s.call(Op::cos, q))));
    else if (f == Op::atan)
      offer("atan of the difference", kept, s.call(Op::atan, s.div(d, s.add(one, s.mul(p, q)))));
  }

  // sqrt(q^2 + r) - q = r / (sqrt(q^2 + r) + q): the root of a quadratic.
  void of_roots() {
    for (const bool first : {true, false}) {
      const uint32_t root = first ? x : y, other = first ? y : x;
      if (s.op(root) != Op::sqrt)
        continue;
      if (const std::optional<Expression> rest = s.without_square(s.a(root), other)) {
        const Expression r = s.read(root), q = s.read(other), top = first ? *rest : s.negative(*rest);
        offer("rationalised difference", first ? s.sub(r, q) : s.sub(q, r), s.div(top, s.add(r, q)), first ? 1 : 2);
      }
    }
  }

  // Returns the number whose square this is.
  std::optional<Expression> root_of(uint32_t square) {
    if (s.op(square) == Op::fmul && s.same(s.a(square), s.b(square)))
      return s.read(s.a(square));
    if (!runtime::is_constant(square) || !(s.value(square) > 0))
      return std::nullopt;
    const numeric::Value root = std::sqrt(double(s.value(square)));
    return root * root == s.value(square) ? std::optional(s.number(root)) : std::nullopt;
  }

  void of_products() {
    if (s.op(x) != Op::fmul && s.op(y) != Op::fmul)
      return;
    const auto p = root_of(x), q = root_of(y);
    if (p && q) {
      const bool records = s.op(x) == Op::fmul && s.op(y) == Op::fmul;
      const Expression d = records ? s.difference(s.a(x), s.a(y)) : s.sub(*p, *q);
      offer("factored difference of squares", s.sub(square_text(x, *p), square_text(y, *q)), s.mul(d, s.add(*p, *q)));
    }
    if (s.op(x) == Op::fmul && s.op(y) == Op::fmul) { // Kahan's difference of products
      const Expression p1 = s.read(s.a(x)), p2 = s.read(s.b(x)), q1 = s.read(s.a(y)), q2 = s.read(s.b(y));
      const Expression product = s.mul(q1, q2);
      offer("fma", s.sub(s.mul(p1, p2), product),
            s.add(s.fma(p1, p2, s.negative(product)), s.fma(s.negative(q1), q2, product)));
    } else if (s.op(x) == Op::fmul) {
      const Expression p1 = s.read(s.a(x)), p2 = s.read(s.b(x)), q1 = s.read(y);
      offer("fma", s.sub(s.mul(p1, p2), q1), s.fma(p1, p2, s.negative(q1)), 1);
    } else {
      const Expression p1 = s.read(x), q1 = s.read(s.a(y)), q2 = s.read(s.b(y));
      offer("fma", s.sub(p1, s.mul(q1, q2)), s.fma(s.negative(q1), q2, p1), 2);
    }
  }
  Expression square_text(uint32_t operand, const Expression& root) const {
    return s.op(operand) == Op::fmul ? s.mul(root, root) : s.number(s.value(operand));
  }

  // n / p - n / q.
  void of_quotients() {
    if (s.op(x) != Op::fdiv || s.op(y) != Op::fdiv || !s.same(s.a(x), s.a(y)))
      return;
    const Expression n = s.read(s.a(x)), p = s.read(s.b(x)), q = s.read(s.b(y)), d = s.difference(s.b(y), s.b(x));
    const Expression top = s.is(s.a(x), 1) ? d : s.mul(n, d);
    offer("common denominator", s.sub(s.div(n, p), s.div(n, q)), s.div(top, s.mul(p, q)));
  }

  // (p + q) - p and p - (p + q). Other orders of three terms are not rules: what one order gains at some inputs, it
  // loses at others.
  void of_sums() {
    for (const bool first : {true, false}) {
      const uint32_t sum = first ? x : y, other = first ? y : x;
      const std::vector<Term> terms = s.terms(sum);
      if (terms.empty() || is_meant_to_round(terms, other))
        continue;
      for (const size_t i : {size_t(0), size_t(1)})
        if (s.same(terms[i].operand, other) && !terms[i].negative) {
          const Expression whole = s.add(s.term(terms[0]), s.term(terms[1])), p = s.read(other);
          const Expression rest = s.term(terms[1 - i]);
          offer("other order", first ? s.sub(whole, p) : s.sub(p, whole), first ? rest : s.negative(rest),
                first ? 0 : 1);
          found.back().may_be_meant = !s.is_computed(other);
          break;
        }
    }
  }

  // True for (x + m) - m, whose purpose is to drop digits, so that x is a different number.
  bool is_meant_to_round(const std::vector<Term>& sum, uint32_t other) const {
    if (s.is_shift(other) || s.is_shift(sum[0].operand) || s.is_shift(sum[1].operand))
      return true;
    for (size_t i = 0; i < sum.size(); ++i)
      if (s.same(sum[i].operand, other) && s.is_taken_from(record, sum[1 - i].operand))
        return true;
    return s.is_correction({sum[0].operand, sum[1].operand, other});
  }

  Sketch& s;
  uint32_t record, x, y;
  std::vector<Rewrite>& found;
};

} // namespace

std::vector<Rewrite> rewrites_of_differences(Sketch& sketch, uint32_t record) {
  std::vector<Rewrite> found;
  const std::vector<Term> terms = sketch.terms(record);
  if (terms.size() == 2 && terms[0].negative != terms[1].negative) {
    const size_t from = terms[0].negative ? 1 : 0;
    Difference(sketch, record, terms[from].operand, terms[1 - from].operand, found).rewrite();
  }
  return found;
}

} // namespace faultline::explain
