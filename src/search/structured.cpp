#include "search/structured.h"

#include <algorithm>
#include <cmath>

namespace faultline::search {
namespace {

using numeric::Int128;

enum class Rule : uint8_t { real, any_float, power_of_two, small_integer, zero, the_same, opposite, scaled, end };
constexpr uint64_t rules = 9;

long double draw(Rule rule, const Dimension& dimension, long double theme, numeric::Rng& rng) {
  switch (rule) {
  case Rule::real: {
    const auto share = (long double)rng.uniform();
    return dimension.low * (1 - share) + dimension.high * share;
  }
  case Rule::any_float:
    return dimension.at(uniform_between(dimension.order(dimension.low), dimension.order(dimension.high), rng));
  case Rule::power_of_two: {
    int exponent = 0;
    std::frexp(draw(Rule::any_float, dimension, theme, rng), &exponent);
    return std::ldexp(rng.coin() ? 1.0L : -1.0L, exponent);
  }
  case Rule::small_integer:
    return (long double)rng.below(9) - 4;
  case Rule::zero:
    return 0;
  case Rule::the_same:
    return theme;
  case Rule::opposite:
    return rng.coin() ? theme : -theme;
  case Rule::scaled:
    return std::ldexp(rng.coin() ? theme : -theme, -int(rng.below(60)));
  case Rule::end:
    break;
  }
  return rng.coin() ? dimension.low : dimension.high;
}

} // namespace

exec::Input sample_structured(const Space& space, numeric::Rng& rng) {
  // A few rules a sample: one for all values is likelier than a mixture of everything.
  const uint64_t mixed = 1 + rng.below(4);
  Rule chosen[4];
  for (Rule& rule : chosen)
    rule = Rule(rng.below(rules));
  exec::Input input(space.dimensions.size());
  long double theme = 0;
  for (size_t i = 0; i < input.size(); ++i) {
    const Dimension& dimension = space.dimensions[i];
    if (theme == 0)
      theme = dimension.nearest(draw(rng.coin() ? Rule::real : Rule::any_float, dimension, 0, rng));
    input[i] = dimension.held()     ? dimension.low
               : dimension.floating ? dimension.nearest(draw(chosen[rng.below(mixed)], dimension, theme, rng))
                                    : (long double)uniform_between(Int128(dimension.low), Int128(dimension.high), rng);
  }
  return input;
}

} // namespace faultline::search
