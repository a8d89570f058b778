#include "explain/square_sums.h"

#include <optional>

namespace faultline::explain {

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

} // namespace faultline::explain
