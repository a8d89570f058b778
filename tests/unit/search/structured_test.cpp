// Inputs with structure: what cancels exactly is never drawn uniformly.
#include "searching.h"

#include "search/fpgen/cancelling.h"

#include <map>

namespace faultline::test {
namespace {

using search::Dimension;
using search::sample_structured;
using search::Space;

constexpr int samples = 2000;

std::vector<exec::Input> draw(const Space& space, uint64_t seed = 1) {
  numeric::Rng rng(seed);
  std::vector<exec::Input> all;
  for (int i = 0; i < samples; ++i)
    all.push_back(sample_structured(space, rng));
  return all;
}

Space array_of_floats(size_t count = 16) { return {std::vector<Dimension>(count, a_float(-100, 100))}; }

bool is_power_of_two(long double value) {
  int exponent = 0;
  return value != 0 && std::fabs(std::frexp(value, &exponent)) == 0.5L;
}

TEST(Structured, StaysInRangesAndFormats) {
  const Space space{{a_float(-100, 100), a_double(3, 700), a_double(-5, -1e-9), a_float(0.1f, 0.3f),
                     a_long_double(-1e4000L, 1e4000L), an_integer(-4, 20), an_integer(0, 1),
                     a_double(-largest_double, largest_double), a_double(0, 0x1p-1070)}};
  for (const exec::Input& input : draw(space)) {
    ASSERT_EQ(input.size(), space.dimensions.size());
    for (size_t i = 0; i < input.size(); ++i)
      ASSERT_TRUE(is_value_of(space.dimensions[i], input[i])) << i << ": " << input[i];
  }
}

TEST(Structured, LeavesHeldInputsAlone) {
  const Space space{{a_double(0.75, 0.75), a_float(-1, 1), an_integer(7, 7), a_float(0, 0)}};
  for (const exec::Input& input : draw(space)) {
    ASSERT_EQ(input[0], 0.75);
    ASSERT_EQ(input[2], 7);
    ASSERT_EQ(input[3], 0);
  }
}

TEST(Structured, DependsOnTheSeedAlone) {
  const Space space = array_of_floats();
  EXPECT_EQ(draw(space, 5), draw(space, 5));
  EXPECT_NE(draw(space, 5), draw(space, 6));
}

TEST(Structured, TakesEveryIntegerOfASmallRange) {
  std::map<long double, int> seen;
  for (const exec::Input& input : draw({{an_integer(-2, 3), a_float(-1, 1)}}))
    ++seen[input[0]];
  EXPECT_EQ(seen.size(), 6u);
}

TEST(Structured, OfNothingIsNothing) { EXPECT_TRUE(draw({}).front().empty()); }

// How many samples are of a kind.
template <typename Kind> int count(const std::vector<exec::Input>& all, Kind kind) {
  return int(std::count_if(all.begin(), all.end(), kind));
}

TEST(Structured, HasRepeatsOppositesZerosAndPowersOfTwo) {
  const std::vector<exec::Input> all = draw(array_of_floats());
  const auto values = [](const exec::Input& input) { return std::set<long double>(input.begin(), input.end()); };
  EXPECT_GT(count(all, [&](const exec::Input& input) { return values(input).size() <= 2; }), samples / 100);
  EXPECT_GT(count(all,
                  [&](const exec::Input& input) {
                    const std::set<long double> own = values(input);
                    return std::any_of(own.begin(), own.end(),
                                       [&](long double value) { return value > 4 && own.contains(-value); });
                  }),
            samples / 100);
  EXPECT_GT(count(all, [](const exec::Input& input) { return std::count(input.begin(), input.end(), 0) >= 4; }),
            samples / 50);
  EXPECT_GT(
      count(all,
            [](const exec::Input& input) { return std::count_if(input.begin(), input.end(), is_power_of_two) >= 8; }),
      samples / 50);
  EXPECT_GT(count(all, [](const exec::Input& input) { return std::count(input.begin(), input.end(), 100) >= 4; }),
            samples / 50)
      << "ends of the range";
}

TEST(Structured, HasMagnitudesFarApartThatAreTheSameBits) {
  const std::vector<exec::Input> all = draw(array_of_floats());
  const auto scaled = [](const exec::Input& input) { // by powers of two, from one significand that is none
    std::map<long double, std::set<int>> exponents;
    for (long double value : input) {
      int exponent = 0;
      const long double significand = std::fabs(std::frexp(value, &exponent));
      if (significand != 0 && significand != 0.5L)
        exponents[significand].insert(exponent);
    }
    return std::any_of(exponents.begin(), exponents.end(),
                       [](const auto& entry) { return *entry.second.rbegin() - *entry.second.begin() > 30; });
  };
  EXPECT_GT(count(all, scaled), samples / 50);
}

TEST(Structured, HasUnstructuredValuesToo) {
  const std::vector<exec::Input> all = draw(array_of_floats());
  const auto unlike = [](const exec::Input& input) {
    std::set<long double> significands;
    for (long double value : input) {
      int exponent = 0;
      significands.insert(std::fabs(std::frexp(value, &exponent)));
    }
    return significands.size() == input.size();
  };
  EXPECT_GT(count(all, unlike), samples / 100);
}

} // namespace
} // namespace faultline::test
