// Sums of squares and of exponentials that leave the range long before the result does: scaled by a power of two, or
// shifted. A power of two changes no digit, so that the scaled code is the same wherever the other one was in range.
#include "explain/rewrite.h"
#include "explain/square_sums.h"

#include <algorithm>
#include <cmath>

namespace faultline::explain {

using ops::Op;

namespace {

// A power of two, some four times the largest of the values.
Expression scale_for(const Sketch& s, const std::vector<uint32_t>& operands) {
  long double largest = 0;
  for (const uint32_t operand : operands)
    largest = std::max(largest, std::fabs(s.value(operand)));
  const bool usable = largest > 0 && std::isfinite(largest);
  return {usable ? std::ldexp(1.0L, std::ilogb(largest) + 2) : 1.0L, "s", 0};
}

std::string scale_note(Sketch& s, const std::vector<uint32_t>& operands) {
  const Expression first = s.read(operands.front()), second = s.read(operands.back());
  const std::string both = fmt::format("{} and {}", first.text, second.text);
  return fmt::format("s is a power of two, four times the larger of {}{}", both,
                     operands.size() > 2 ? " and the terms between them" : "");
}

// (a * c + b * d) / (c * c + d * d) and (b * c - a * d) / (c * c + d * d): quotients of complex numbers; c / (c * c + d
// * d): their reciprocals. Smith (1962) divides by the larger one of c and d, which rounds; a power of two near it does
// not.
class ComplexQuotient {
public:
  ComplexQuotient(Sketch& s, uint32_t record, std::vector<Rewritten>& found) : s(s) {
    const uint32_t modulus = s.b(record);
    if (s.op(modulus) != Op::fadd)
      return;
    const auto p = s.squared(s.a(modulus)), q = s.squared(s.b(modulus));
    if (!p || !q || s.same(*p, *q))
      return;
    parts = {*p, *q};
    scale = scale_for(s, parts);
    const auto top = scaled_top(s.a(record));
    if (!top)
      return;
    const Expression u = s.read(*p), v = s.read(*q);
    const Expression below = s.add(s.mul(u, s.div(u, scale)), s.mul(v, s.div(v, scale)));
    found.push_back({"scaled by a power of two", s.div(kept, s.add(s.mul(u, u), s.mul(v, v))), s.div(*top, below)});
    found.back().note = scale_note(s, parts);
  }

private:
  bool is_part(uint32_t operand) const { return s.same(operand, parts[0]) || s.same(operand, parts[1]); }

  std::optional<Expression> scaled_top(uint32_t top) {
    if (s.op(top) == Op::fneg || is_part(top)) {
      const bool negative = s.op(top) == Op::fneg;
      const uint32_t part = negative ? s.a(top) : top;
      if (!is_part(part))
        return std::nullopt;
      kept = negative ? s.negative(s.read(part)) : s.read(part);
      return s.div(kept, scale);
    }
    const std::vector<Term> terms = s.terms(top);
    if (terms.size() != 2)
      return std::nullopt;
    std::optional<Expression> after;
    for (const Term& term : terms) {
      if (s.op(term.operand) != Op::fmul)
        return std::nullopt;
      uint32_t x = s.a(term.operand), y = s.b(term.operand);
      if (!is_part(y))
        std::swap(x, y);
      if (!is_part(y))
        return std::nullopt;
      const Expression factor = s.read(x), part = s.read(y);
      const Expression before = s.mul(factor, part), now = s.mul(factor, s.div(part, scale));
      kept = !after ? (term.negative ? s.negative(before) : before)
                    : (term.negative ? s.sub(kept, before) : s.add(kept, before));
      after =
          !after ? (term.negative ? s.negative(now) : now) : (term.negative ? s.sub(*after, now) : s.add(*after, now));
    }
    return after;
  }

  Sketch& s;
  std::vector<uint32_t> parts;
  Expression scale, kept;
};

// sqrt(p^2 + q^2 + ...) and sqrt((p^2 + q^2 + ...) / n), of many terms.
void of_a_norm(Sketch& s, uint32_t record, std::vector<Rewritten>& found) {
  constexpr size_t few = 4; // are nested hypots
  const uint32_t under = s.a(record);
  const bool mean = s.op(under) == Op::fdiv || (s.op(under) == Op::fmul && runtime::is_constant(s.b(under)));
  std::vector<uint32_t> roots;
  for (const uint32_t term : s.leaves(mean ? s.a(under) : under, Op::fadd)) {
    if (s.is(term, 0))
      continue;
    const auto root = s.squared(term);
    if (!root)
      return;
    roots.push_back(*root);
  }
  if (roots.size() < (mean ? 2 : few))
    return;
  const Expression scale = scale_for(s, roots);
  auto [before, after] = square_sums(s, roots, [&](const Expression& x) { return s.div(x, scale); });
  if (mean) {
    const Expression n = s.read(s.b(under));
    before = s.op(under) == Op::fdiv ? s.div(before, n) : s.mul(before, n);
    after = s.op(under) == Op::fdiv ? s.div(after, n) : s.mul(after, n);
  }
  found.push_back({"scaled by a power of two", s.call(Op::sqrt, before), s.mul(scale, s.call(Op::sqrt, after)), 1});
  found.back().note = scale_note(s, roots);
}

// log(exp(p) + exp(q) + ...) of three and more; of two in rewrite_functions.cpp.
void of_many_exponentials(Sketch& s, uint32_t record, std::vector<Rewritten>& found) {
  std::vector<uint32_t> exponents;
  for (const uint32_t term : s.leaves(s.a(record), Op::fadd)) {
    if (s.is(term, 0))
      continue;
    if (s.op(term) != Op::exp)
      return;
    exponents.push_back(s.a(term));
  }
  if (exponents.size() < 3)
    return;
  Expression largest = s.read(exponents.front());
  for (const uint32_t exponent : exponents)
    largest.value = std::max(largest.value, s.value(exponent));
  largest = {largest.value, "m", 0};
  std::optional<Expression> after;
  for (const uint32_t exponent : exponents) {
    const Expression term = s.call(Op::exp, s.sub(s.read(exponent), largest));
    after = after ? s.add(*after, term) : term;
  }
  const Expression first = s.read(exponents.front());
  Expression before = s.call(Op::exp, first);
  before.text += " + ...";
  after->text = s.call(Op::exp, s.sub(first, largest)).text + " + ...";
  found.push_back({"shifted exponentials", s.call(Op::log, before), s.add(largest, s.call(Op::log, *after)), 1});
  found.back().note = "m is the largest exponent";
}

} // namespace

std::vector<Rewritten> rewrites_of_ranges(Sketch& sketch, uint32_t record) {
  std::vector<Rewritten> found;
  if (sketch.op(record) == Op::fdiv)
    ComplexQuotient(sketch, record, found);
  else if (sketch.op(record) == Op::sqrt)
    of_a_norm(sketch, record, found);
  else if (sketch.op(record) == Op::log)
    of_many_exponentials(sketch, record, found);
  return found;
}

} // namespace faultline::explain
