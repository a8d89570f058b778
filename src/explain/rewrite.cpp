#include "explain/rewrite.h"

#include "ops/table.h"

#include <algorithm>
#include <cmath>

namespace faultline::explain {

using numeric::Value;
using ops::Op;

std::vector<Rewrite> rewrites_of(const tape::Tape& tape, uint32_t record, std::span<const Value> values,
                                 const std::vector<std::string>& inputs, Texts texts) {
  std::vector<Rewrite> all;
  for (auto* rules : {rewrites_of_inverses, rewrites_of_variances, rewrites_of_differences, rewrites_of_sums,
                      rewrites_of_functions, rewrites_of_ranges}) {
    Sketch sketch(tape, values, tape.site(record).format, inputs, texts);
    for (Rewrite& rewritten : rules(sketch, record)) {
      if (texts == Texts::written) {
        rewritten.legend = sketch.legend(rewritten.before.text + " " + rewritten.after.text + " " + rewritten.note);
        if (!rewritten.note.empty())
          rewritten.legend = rewritten.note + (rewritten.legend.empty() ? "" : ", ") + rewritten.legend;
      }
      all.push_back(std::move(rewritten));
    }
  }
  return all;
}

// Sums whose terms have opposite signs in this run, though the source adds them.

namespace {

// sqrt(q^2 + r) + q = r / (sqrt(q^2 + r) - q)
void root_of_a_quadratic(Sketch& s, uint32_t root, uint32_t q, int side, std::vector<Rewrite>& found) {
  if (s.op(root) != Op::sqrt)
    return;
  if (const std::optional<Expression> rest = s.without_square(s.a(root), q)) {
    const Expression r = s.read(root), other = s.read(q);
    found.push_back({"rationalised difference", s.add(r, other), s.div(*rest, s.sub(r, other)), side});
  }
}

void with_fma(Sketch& s, uint32_t product, uint32_t other, int side, std::vector<Rewrite>& found) {
  if (s.op(product) != Op::fmul)
    return;
  const Expression p = s.read(s.a(product)), q = s.read(s.b(product));
  if (s.op(other) == Op::fmul) {
    const Expression u = s.read(s.a(other)), v = s.read(s.b(other)), exact = s.mul(u, v);
    found.push_back(
        {"fma", s.add(s.mul(p, q), exact), s.add(s.fma(p, q, exact), s.fma(u, v, s.negative(exact))), side});
  } else {
    const Expression rest = s.read(other);
    found.push_back({"fma", s.add(s.mul(p, q), rest), s.fma(p, q, rest), 2 + side});
  }
}

// Requires at least one value. Sums of many terms are abbreviated.
SquareSums square_sums(Sketch& s, const std::vector<uint32_t>& values,
                       const std::function<Expression(const Expression&)>& changed) {
  constexpr size_t spelled_out = 2; // terms
  std::optional<Expression> before, after;
  for (const uint32_t value : values) {
    const Expression x = s.read(value), y = changed(x), xx = s.mul(x, x), yy = s.mul(y, y);
    before = before ? s.add(*before, xx) : xx;
    after = after ? s.add(*after, yy) : yy;
  }
  if (values.size() > spelled_out) {
    const Expression x = s.read(values[0]), y = changed(x);
    before->text = s.mul(x, x).text + " + ...";
    after->text = s.mul(y, y).text + " + ...";
  }
  return {*before, *after};
}

} // namespace

std::vector<Rewrite> rewrites_of_sums(Sketch& sketch, uint32_t record) {
  std::vector<Rewrite> found;
  const std::vector<Term> terms = sketch.terms(record);
  if (terms.size() != 2 || terms[0].negative || terms[1].negative)
    return found;
  for (const size_t i : {size_t(0), size_t(1)}) {
    const uint32_t x = terms[i].operand, y = terms[1 - i].operand;
    root_of_a_quadratic(sketch, x, y, int(i), found);
    with_fma(sketch, x, y, int(i), found);
  }
  return found;
}

// Sums of squares and of exponentials that leave the range long before the result does. They are scaled by a power of
// two, or shifted. A power of two changes no digit, so the scaled code gives the same result where the original is in
// range.

namespace {

// Returns a power of two, about four times the largest of the values.
Expression scale_for(const Sketch& s, const std::vector<uint32_t>& operands) {
  Value largest = 0;
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
// * d): their reciprocals. Smith (1962) divides by the larger of c and d, which rounds; a power of two near it does
// not.
class ComplexQuotient {
public:
  ComplexQuotient(Sketch& s, uint32_t record, std::vector<Rewrite>& found) : s(s) {
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
void of_a_norm(Sketch& s, uint32_t record, std::vector<Rewrite>& found) {
  constexpr size_t few = 4; // up to here, nested hypots
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

// log(exp(p) + exp(q) + ...) of three or more terms; rewrite_functions.cpp has the case of two.
void of_many_exponentials(Sketch& s, uint32_t record, std::vector<Rewrite>& found) {
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

std::vector<Rewrite> rewrites_of_ranges(Sketch& sketch, uint32_t record) {
  std::vector<Rewrite> found;
  if (sketch.op(record) == Op::fdiv)
    ComplexQuotient(sketch, record, found);
  else if (sketch.op(record) == Op::sqrt)
    of_a_norm(sketch, record, found);
  else if (sketch.op(record) == Op::log)
    of_many_exponentials(sketch, record, found);
  return found;
}

// The mean of the squares minus the square of the mean. The difference is small where the values lie close together. A
// second pass over the values subtracts the mean first.

namespace {

// A sum, possibly divided by the number of its terms.
struct Total {
  std::vector<uint32_t> terms;
  bool divided = false;
};

class Variance {
public:
  Variance(Sketch& s, uint32_t squares, uint32_t product, std::vector<Rewrite>& found) : s(s), found(found) {
    const std::optional<Total> of_squares = total(squares);
    if (!of_squares)
      return;
    for (const uint32_t term : of_squares->terms) {
      const auto root = s.squared(term);
      if (!root)
        return;
      values.push_back(*root);
    }
    const std::optional<uint32_t> mean = mean_in(product, of_squares->divided);
    if (mean)
      rewrite(*mean, of_squares->divided);
  }

private:
  // Skips the initial zero of a loop. The divisor must be the number of terms.
  std::optional<Total> total(uint32_t operand) const {
    Total total;
    uint32_t sum = operand;
    Value divisor = 0;
    if (s.op(operand) == Op::fdiv) {
      sum = s.a(operand);
      divisor = s.value(s.b(operand));
    } else if (s.op(operand) == Op::fmul && runtime::is_constant(s.b(operand))) {
      sum = s.a(operand);
      divisor = std::rint(1 / s.value(s.b(operand)));
    }
    total.terms = s.leaves(sum, Op::fadd);
    std::erase_if(total.terms, [&](uint32_t term) { return s.is(term, 0); });
    total.divided = divisor != 0;
    if (total.terms.size() < 2 || (total.divided && divisor != Value(total.terms.size())))
      return std::nullopt;
    return total;
  }

  bool has_these(const std::vector<uint32_t>& terms) const {
    return std::ranges::is_permutation(terms, values, [&](uint32_t x, uint32_t y) { return s.same(x, y); });
  }
  bool is_mean(uint32_t operand) const {
    const std::optional<Total> mean = total(operand);
    return mean && mean->divided && has_these(mean->terms);
  }
  bool is_sum(uint32_t operand) const {
    const std::optional<Total> sum = total(operand);
    return sum && !sum->divided && has_these(sum->terms);
  }

  // Matches the product m * m if the squares are divided, otherwise m * sum or sum * sum / n. Returns the record of the
  // mean, or of the sum.
  std::optional<uint32_t> mean_in(uint32_t product, bool divided) const {
    if (divided)
      return s.squared(product) && is_mean(s.a(product)) ? std::optional(s.a(product)) : std::nullopt;
    const auto n = Value(values.size());
    const bool reciprocal = s.op(product) == Op::fmul && s.is(s.b(product), 1 / n);
    if (reciprocal || (s.op(product) == Op::fdiv && s.value(s.b(product)) == n)) {
      const auto sum = s.squared(s.a(product));
      return sum && is_sum(*sum) ? sum : std::nullopt;
    }
    if (s.op(product) != Op::fmul)
      return std::nullopt;
    for (const bool first : {true, false}) {
      const uint32_t x = first ? s.a(product) : s.b(product), y = first ? s.b(product) : s.a(product);
      if (is_mean(x) && is_sum(y))
        return x;
    }
    return std::nullopt;
  }

  void rewrite(uint32_t mean, bool divided) {
    const Expression n = s.number(Value(values.size()));
    Expression m = s.read(mean);
    if (!is_mean(mean))
      m = s.div(m, n);
    m = {m.value, "m", 0};
    const auto [before, after] = square_sums(s, values, [&](const Expression& x) { return s.sub(x, m); });
    const Expression square = s.mul(m, m);
    const Expression kept = s.sub(divided ? s.div(before, n) : before, divided ? square : s.mul(n, square));
    found.push_back({"two passes", kept, divided ? s.div(after, n) : after, divided ? 0 : 1});
    found.back().note = "m is the mean";
    shift(kept, n, divided);
  }

  // Shifts by the first of the values, so that values equal to it become exactly 0.
  void shift(const Expression& kept, const Expression& n, bool divided) {
    std::optional<Expression> sum, squares;
    for (const uint32_t value : values) {
      const Expression d = s.sub(s.read(value), s.read(values[0])), dd = s.mul(d, d);
      sum = sum ? s.add(*sum, d) : d;
      squares = squares ? s.add(*squares, dd) : dd;
    }
    sum = {sum->value, "q", 0};
    squares = {squares->value, "d * d + ...", 2};
    const Expression after = s.sub(*squares, s.div(s.mul(*sum, *sum), n));
    found.push_back({"shifted by the first", kept, divided ? s.div(after, n) : after, divided ? 2 : 3});
    found.back().note = "m is the mean, d each of them minus " + s.read(values[0]).text + ", q the sum of the d";
  }

  Sketch& s;
  std::vector<Rewrite>& found;
  std::vector<uint32_t> values;
};

} // namespace

std::vector<Rewrite> rewrites_of_variances(Sketch& sketch, uint32_t record) {
  std::vector<Rewrite> found;
  if (sketch.op(record) == Op::fsub)
    Variance(sketch, sketch.a(record), sketch.b(record), found);
  return found;
}

} // namespace faultline::explain
