#include "exec/input.h"

#include <algorithm>
#include <cmath>

namespace faultline::exec {

bool same_bits(const Input& a, const Input& b) {
  return std::ranges::equal(a, b, [](long double x, long double y) {
    return std::signbit(x) == std::signbit(y) && (x == y || (std::isnan(x) && std::isnan(y)));
  });
}

} // namespace faultline::exec
