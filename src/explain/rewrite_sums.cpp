// Sums whose terms have opposite signs on this run, though the source adds them.
#include "explain/rewrite.h"

#include "ops/table.h"

namespace faultline::explain {

using ops::Op;

namespace {

// sqrt(q^2 + r) + q = r / (sqrt(q^2 + r) - q)
void root_of_a_quadratic(Sketch& s, uint32_t root, uint32_t q, int side, std::vector<Rewritten>& found) {
  if (s.op(root) != Op::sqrt)
    return;
  if (const std::optional<Expression> rest = s.without_square(s.a(root), q)) {
    const Expression r = s.read(root), other = s.read(q);
    found.push_back({"rationalised difference", s.add(r, other), s.div(*rest, s.sub(r, other)), side});
  }
}

void with_fma(Sketch& s, uint32_t product, uint32_t other, int side, std::vector<Rewritten>& found) {
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

} // namespace

std::vector<Rewritten> rewrites_of_sums(Sketch& sketch, uint32_t record) {
  std::vector<Rewritten> found;
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

} // namespace faultline::explain
