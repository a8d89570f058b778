#include "search/fpgen/structured.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

namespace faultline::search {
namespace {

using numeric::Int128;

enum class Rule : uint8_t { real, any_float, power_of_two, small_integer, zero, the_same, opposite, scaled, end };
constexpr auto all_rules = uint64_t(Rule::end) + 1;

// Guesses.
constexpr size_t most_rules = 4;           // that one array is drawn by
constexpr uint64_t positive_one_in = 3;    // arrays has one sign
constexpr uint64_t same_manner_one_in = 4; // arrays is drawn like the one before it
constexpr int largest_small_integer = 4;
constexpr uint64_t binades_apart = 60; // of scaled values: beyond the 53 bits of a double

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
    return (long double)rng.below(2 * largest_small_integer + 1) - largest_small_integer;
  case Rule::zero:
    return 0;
  case Rule::the_same:
    return theme;
  case Rule::opposite:
    return rng.coin() ? theme : -theme;
  case Rule::scaled:
    return std::ldexp(rng.coin() ? theme : -theme, -int(rng.below(binades_apart)));
  case Rule::end:
    break;
  }
  return rng.coin() ? dimension.low : dimension.high;
}

// How the values of one array are drawn: by few rules, since one for all is likelier than a mixture of everything, and
// some of one sign only: weights, variances and lengths are positive.
struct Manner {
  Rule rules[most_rules];
  uint64_t mixed;
  long double theme; // the value that is repeated
  bool positive;

  Manner(const Dimension& dimension, numeric::Rng& rng) {
    for (Rule& rule : rules)
      rule = Rule(rng.below(all_rules));
    mixed = 1 + rng.below(most_rules);
    theme = dimension.nearest(draw(rng.coin() ? Rule::real : Rule::any_float, dimension, 0, rng));
    positive = rng.below(positive_one_in) == 0;
  }
};

std::string_view array_of(const Dimension& dimension) {
  return std::string_view(dimension.name).substr(0, dimension.name.find('['));
}

} // namespace

exec::Input sample_structured(const Space& space, numeric::Rng& rng) {
  exec::Input input(space.dimensions.size());
  std::optional<Manner> manner;
  for (size_t i = 0; i < input.size(); ++i) {
    const Dimension& dimension = space.dimensions[i];
    if (dimension.held()) {
      input[i] = dimension.low;
    } else if (!dimension.floating) {
      input[i] = dimension.at(uniform_between(dimension.order(dimension.low), dimension.order(dimension.high), rng));
    } else {
      if (!manner || (array_of(dimension) != array_of(space.dimensions[i - 1]) && rng.below(same_manner_one_in) != 0))
        manner.emplace(dimension, rng);
      const long double value = draw(manner->rules[rng.below(manner->mixed)], dimension, manner->theme, rng);
      input[i] = dimension.nearest(manner->positive ? std::fabs(value) : value);
    }
  }
  return input;
}

} // namespace faultline::search
