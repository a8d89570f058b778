// The mean of the squares minus the square of the mean: what is left is small where the values lie close together. A
// second pass over the values takes the mean away first.
#include "explain/rewrite.h"
#include "explain/square_sums.h"

#include <algorithm>
#include <cmath>

namespace faultline::explain {

using ops::Op;

namespace {

// A sum, as it is or divided by how many terms it has.
struct Total {
  std::vector<uint32_t> terms;
  bool divided = false;
};

class Variance {
public:
  Variance(Sketch& s, uint32_t squares, uint32_t product, std::vector<Rewritten>& found) : s(s), found(found) {
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
  // Without the zero that a loop begins with. The divisor must be the number of terms.
  std::optional<Total> total(uint32_t operand) const {
    Total total;
    uint32_t sum = operand;
    long double divisor = 0;
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
    if (total.terms.size() < 2 || (total.divided && divisor != (long double)total.terms.size()))
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

  // Where the product is m * m, if the squares are divided, and otherwise m * sum, or sum * sum / n: the record of the
  // mean, or of the sum.
  std::optional<uint32_t> mean_in(uint32_t product, bool divided) const {
    if (divided)
      return s.squared(product) && is_mean(s.a(product)) ? std::optional(s.a(product)) : std::nullopt;
    const auto n = (long double)values.size();
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
    const Expression n = s.number((long double)values.size());
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

  // By the first of the values: what is equal to it is exactly 0 then.
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
  std::vector<Rewritten>& found;
  std::vector<uint32_t> values;
};

} // namespace

std::vector<Rewritten> rewrites_of_variances(Sketch& sketch, uint32_t record) {
  std::vector<Rewritten> found;
  if (sketch.op(record) == Op::fsub)
    Variance(sketch, sketch.a(record), sketch.b(record), found);
  return found;
}

} // namespace faultline::explain
