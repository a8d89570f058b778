// Where a search looks first: what is never sampled is never found.
#include "searching.h"

#include "search/line.h"

namespace faultline::test {
namespace {

using numeric::Int128;
using search::Dimension;
using search::Line;
using search::sample_positions;
using search::Space;

struct Named {
  const char* name;
  Dimension dimension;
};
void PrintTo(const Named& named, std::ostream* stream) { *stream << named.name; }

class Samples : public testing::TestWithParam<Named> {};

TEST_P(Samples, AreInTheRangeIncreasingAndEndWithItsEnds) {
  const Space space{{GetParam().dimension}};
  const Line line = Line::along(space, {GetParam().dimension.low}, 0);
  for (const search::Density& density : {search::whole_space, search::one_of_many_lines}) {
    numeric::Rng rng(1);
    const std::vector<Int128> positions = sample_positions(line, density, {0.1L, 2.5L, 1e10L}, rng);
    ASSERT_GT(positions.size(), 1u);
    EXPECT_TRUE(positions.front() == 0);
    EXPECT_TRUE(positions.back() == line.length());
    for (size_t i = 1; i < positions.size(); ++i)
      ASSERT_TRUE(positions[i - 1] < positions[i]);
    for (Int128 position : positions)
      ASSERT_TRUE(is_value_of(GetParam().dimension, line.at(position)[0]));
  }
}

TEST_P(Samples, DependOnTheSeedAlone) {
  const Space space{{GetParam().dimension}};
  const Line line = Line::along(space, {GetParam().dimension.low}, 0);
  numeric::Rng one(1), again(1), other(2);
  const auto first = sample_positions(line, search::whole_space, {}, one);
  EXPECT_TRUE(first == sample_positions(line, search::whole_space, {}, again));
  if (line.length() > 1000)
    EXPECT_FALSE(first == sample_positions(line, search::whole_space, {}, other));
}

INSTANTIATE_TEST_SUITE_P(
    All, Samples,
    testing::Values(Named{"all_doubles", a_double(-largest_double, largest_double)},
                    Named{"some_doubles", a_double(3, 700)}, Named{"negative_doubles", a_double(-5, -1e-9)},
                    Named{"few_doubles", a_double(1, 1 + 0x1p-46)}, Named{"some_floats", a_float(-3, 1e5)},
                    Named{"all_long_doubles", a_long_double(-std::numeric_limits<long double>::max(),
                                                            std::numeric_limits<long double>::max())},
                    Named{"few_integers", an_integer(-3, 100)}, Named{"many_integers", an_integer(-1000, 1'000'000)}),
    [](const auto& info) { return info.param.name; });

std::set<long double> values_of(const Dimension& dimension, const std::vector<long double>& constants,
                                const search::Density& density = search::whole_space) {
  const Space space{{dimension}};
  const Line line = Line::along(space, {dimension.low}, 0);
  numeric::Rng rng(1);
  std::set<long double> values;
  for (Int128 position : sample_positions(line, density, constants, rng))
    values.insert(line.at(position)[0]);
  return values;
}

TEST(Sampling, HoldsTheConstantsOfTheCodeAndTheirNeighbours) {
  const std::set<long double> values = values_of(a_double(-100, 100), {0.1, 7, 1e5}, search::one_of_many_lines);
  for (double constant : {0.1, -0.1, 7.0, -7.0})
    for (double value : {constant, std::nextafter(constant, INFINITY), std::nextafter(constant, -INFINITY)})
      EXPECT_TRUE(values.contains(value)) << fmt::format("{:a}", value);
  for (double value : {0.0, 1.0, -1.0, 100.0, -100.0})
    EXPECT_TRUE(values.contains(value)) << value;
}

TEST(Sampling, TakesSmallRangesCompletely) {
  EXPECT_EQ(values_of(an_integer(-100, 156), {}).size(), 257u);
  EXPECT_EQ(values_of(a_double(1, 1 + 100 * 0x1p-52), {}).size(), 101u);
  EXPECT_EQ(values_of(a_float(-3 * std::numeric_limits<float>::denorm_min(), 0), {}).size(), 4u);
}

TEST(Sampling, SeesEveryExponentAndLooksCloselyAroundOne) {
  const std::set<long double> values = values_of(a_double(-largest_double, largest_double), {});
  EXPECT_LT(values.size(), 2000u) << "an evaluation each";
  std::map<int, int> binades, sixteens;
  for (long double value : values)
    if (value != 0) {
      ++binades[std::ilogb(value) + (value < 0 ? 10'000 : 0)];
      ++sixteens[(std::ilogb(value) + 1074) / 64 + (value < 0 ? 10'000 : 0)];
    }
  for (int exponent = -30; exponent < 100; ++exponent)
    for (int sign : {0, 10'000})
      EXPECT_GE(binades[exponent + sign], exponent >= -3 && exponent < 7 ? 12 : 2) << exponent;
  for (int part = 1; part < 32; ++part)
    EXPECT_TRUE(sixteens.contains(part) && sixteens.contains(part + 10'000)) << part;
}

TEST(Sampling, SpreadsOverTheRealsOfARange) {
  const std::set<long double> values = values_of(a_double(0, 1000), {});
  for (int part = 0; part < 10; ++part)
    EXPECT_TRUE(std::any_of(values.begin(), values.end(), [&](long double value) {
      return value > part * 100 && value < part * 100 + 100;
    })) << part;
}

TEST(TellingConstants, AreThoseOfTheCodeWithoutSign) {
  exec::Session session = open_math("double f(double x) { return (x < -12.5 ? x - 0.7 : x * 3.25) + 0.7 * x; }");
  const std::vector<long double> constants = search::telling_constants(session.sites());
  for (double constant : {12.5, 0.7, 3.25})
    EXPECT_EQ(std::count(constants.begin(), constants.end(), (long double)constant), 1) << constant;
  for (long double constant : constants)
    EXPECT_GT(constant, 0);
  EXPECT_TRUE(std::is_sorted(constants.begin(), constants.end()));
}

TEST(TellingConstants, OfLongTablesAreAFewFromAllOver) {
  std::string text = "double f(double x) { double s = x;";
  for (int i = 1; i <= 300; ++i)
    text += fmt::format(" s = s * {}.5 + x;", i);
  exec::Session session = open_math(text + " return s; }");
  const std::vector<long double> constants = search::telling_constants(session.sites());
  EXPECT_LE(constants.size(), 48u);
  EXPECT_LT(constants.front(), 20);
  EXPECT_GT(constants.back(), 280);
}

} // namespace
} // namespace faultline::test
