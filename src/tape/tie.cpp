#include "tape/tie.h"

#include "ops/op.h"

#include <cmath>

namespace faultline::tape {
namespace {

// Does it fill more than three quarters of its bits, as pi and 0.1 do? Then it stands for a number that no float is.
bool is_rounded(long double value, numeric::Format format) {
  if (!std::isfinite(value) || value == 0)
    return false;
  const int precision = numeric::info(format).precision;
  int exponent = 0;
  const long double leading = std::ldexp(std::frexp(value, &exponent), precision - precision / 4);
  return leading != std::floor(leading);
}

} // namespace

std::vector<uint32_t> ties_with_constants(const Tape& tape) {
  std::vector<uint32_t> found;
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const Site& site = tape.site(index);
    if (!ops::is_comparison(site.op) || ops::arity(site.op) < 2)
      continue;
    const uint32_t a = tape.operand(index, 0), b = tape.operand(index, 1);
    if (runtime::is_constant(a) == runtime::is_constant(b) || tape.exact(a) != tape.exact(b))
      continue;
    if (is_rounded(tape.exact(a), site.format))
      found.push_back(index);
  }
  return found;
}

} // namespace faultline::tape
