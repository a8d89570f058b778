// From what the user asked for to the space that is searched.
#include "target_space.h"

#include "base/error.h"

#include <limits>

namespace faultline::judge {

using model::Range;
using model::Settings;
namespace {

using numeric::Format;

TEST(SpaceOf, FlagsIsTheValuesThatTheCodeTellsApart) {
  const char* text = "double f(double x, int mode) { return mode == 3 ? x * x : 1 - x; }";
  expect_range(dimension(text, "mode"), 2, 3);
  EXPECT_EQ(dimension(text, "mode").values, (std::vector<long double>{2, 3}));
  const model::Target target = target_of(text);
  EXPECT_FALSE(is_assumed(target.inputs.at(1), target, {}));
}

TEST(SpaceOf, FlagsIsWhatTheUserSaysOfThem) {
  const char* text = "double f(double x, int mode) { return mode == 3 ? x * x : 1 - x; }";
  Settings ranged, held;
  ranged.ranges["mode"] = {-7, 9};
  held.held["mode"] = 5;
  expect_range(dimension(text, "mode", ranged), -7, 9);
  EXPECT_TRUE(dimension(text, "mode", ranged).values.empty());
  expect_range(dimension(text, "mode", held), 5, 5);
}

TEST(SpaceOf, FlagsIsThoseOfTheirValuesThatAreKnownInPractice) {
  const char* text = "double f(double x, int mode) { return mode == 3 ? x * x : 1 - x; }";
  Settings settings;
  settings.everyday["mode"] = {3, 3, 3};
  expect_range(dimension(text, "mode", settings), 3, 3);
  settings.everyday["mode"] = {50, 60, 50};
  expect_range(dimension(text, "mode", settings), 2, 3);
}

TEST(SpaceOf, FlagsIsNotALengthThatIsChecked) {
  Settings settings;
  settings.sizes["a"] = {4};
  const char* text = "double f(const double* a, int n) { return n < 1 ? 0 : a[0] - a[3]; }";
  expect_range(dimension(text, "n", settings), 4, 4);
}

TEST(SpaceOf, GuessesAreWhatTheTypeHolds) {
  Settings settings;
  settings.sizes["text"] = {1000};
  expect_range(dimension("double f(const signed char* text) { return text[0] / 3.0; }", "text[0]", settings), 0, 127);
  expect_range(dimension("double f(signed char n) { return n / 3.0; }", "n"), -128, 127);
}

TEST(SpaceOf, FloatsIsAllFiniteValues) {
  const char* text = "double f(float x, double y, long double z) { return x + y + (double)z; }";
  expect_range(dimension(text, "x"), -std::numeric_limits<float>::max(), std::numeric_limits<float>::max());
  expect_range(dimension(text, "y"), -std::numeric_limits<double>::max(), std::numeric_limits<double>::max());
  expect_range(dimension(text, "z"), -std::numeric_limits<long double>::max(), std::numeric_limits<long double>::max());
  EXPECT_EQ(dimension(text, "x").format, Format::binary32);
  EXPECT_EQ(dimension(text, "z").format, Format::extended80);
  EXPECT_TRUE(dimension(text, "z").floating);
}

TEST(SpaceOf, WhatIsKnownInPracticeIsThatAndTwiceAsFar) {
  const char* text = "double f(float x, double y, int n, unsigned m) { return x * y * n * m; }";
  Settings settings;
  settings.everyday = {{"x", {2, 3e38L, 2}}, {"y", {-6, 10, 0.5L}}, {"n", {-3, 5, 1}}, {"m", {3, 3, 3}}};
  expect_range(dimension(text, "x", settings), 1, std::numeric_limits<float>::max());
  expect_range(dimension(text, "y", settings), -12, 20);
  EXPECT_EQ(dimension(text, "y", settings).least, 0.25L);
  EXPECT_EQ(dimension(text, "y", settings).everyday, (search::Stretch{-6, 10, 0.5L}));
  expect_range(dimension(text, "n", settings), -6, 10);
  expect_range(dimension(text, "m", settings), 1, 6);
  settings.ranges["y"] = {-1, 100};
  expect_range(dimension(text, "y", settings), -1, 100);
  EXPECT_EQ(dimension(text, "y", settings).least, 0);
}

TEST(SpaceOf, IntegersIsASmallRange) {
  const char* text = "#include <stdbool.h>\ndouble f(double x, int n, unsigned m, bool b) { return x * n + m + b; }";
  const search::Dimension n = dimension(text, "n"), m = dimension(text, "m");
  EXPECT_FALSE(n.floating);
  EXPECT_LT(n.low, 0);
  EXPECT_GT(n.high, 1);
  EXPECT_LT(n.high, 1000);
  EXPECT_EQ(m.low, 0);
  expect_range(dimension(text, "b"), 0, 1);
}

TEST(SpaceOf, ARangeThatTheTypeOfAnIntegerDoesNotHaveIsRefused) {
  const model::Target target = target_of("double f(double x, int n, unsigned char k) { return x + n + k; }");
  const auto is_refused = [&](const std::string& name, Range range) {
    Settings ranged, held;
    ranged.ranges[name] = range;
    held.held[name] = range.high;
    const auto refuses = [&](const Settings& settings) {
      try {
        check_names({target}, settings);
        return false;
      } catch (const base::UserError&) {
        return true;
      }
    };
    EXPECT_EQ(refuses(ranged), refuses(held)) << name << " " << double(range.high);
    return refuses(ranged);
  };
  EXPECT_FALSE(is_refused("n", {-0x1p31L, 0x1p31L - 1}));
  EXPECT_TRUE(is_refused("n", {0, 0x1p31L}));
  EXPECT_FALSE(is_refused("k", {0, 255}));
  EXPECT_TRUE(is_refused("k", {0, 256}));
  EXPECT_TRUE(is_refused("k", {-1, -1}));
  EXPECT_FALSE(is_refused("x", {-1e300L, 1e300L}));
}

TEST(SpaceOf, OnlyAnIntegerThatNobodySpokeOfIsAssumed) {
  const model::Target target = target_of("double f(double x, int n, _Bool b) { return b ? x + n : x; }");
  Settings settings;
  const auto assumed = [&] {
    std::string names;
    for (const model::Cell& cell : target.inputs)
      names += is_assumed(cell, target, settings) ? cell.name : "";
    return names;
  };
  EXPECT_EQ(assumed(), "n");
  settings.ranges["n"] = {0, 3};
  EXPECT_EQ(assumed(), "");
  settings.ranges.clear();
  settings.held["n"] = 3;
  EXPECT_EQ(assumed(), "");
}

TEST(SpaceOf, RangesGoByCellAndByParameter) {
  Settings settings;
  settings.sizes = {{"a", {3}}};
  settings.ranges = {{"a", {-1, 1}}, {"a[1]", {5, 6}}, {"x", {0, 10}}};
  const char* text = "double f(double x, const double* a) { return x + a[0] + a[1] + a[2]; }";
  expect_range(dimension(text, "x", settings), 0, 10);
  expect_range(dimension(text, "a[0]", settings), -1, 1);
  expect_range(dimension(text, "a[1]", settings), 5, 6);
  expect_range(dimension(text, "a[2]", settings), -1, 1);
}

TEST(SpaceOf, HeldInputsStandStill) {
  Settings settings;
  settings.held = {{"x", 0.1L}, {"n", 3}};
  settings.ranges = {{"x", {-5, 5}}};
  const char* text = "double f(double x, int n, double y) { return x * n + y; }";
  EXPECT_TRUE(dimension(text, "x", settings).held());
  EXPECT_EQ(dimension(text, "x", settings).low, 0.1) << "the double, not the long double";
  expect_range(dimension(text, "n", settings), 3, 3);
  EXPECT_FALSE(dimension(text, "y", settings).held());
}

TEST(SpaceOf, FormatsNarrowButDoNotWiden) {
  Settings settings;
  settings.formats = {{"x", Format::binary32}, {"y", Format::extended80}};
  const char* text = "double f(double x, double y) { return x + y; }";
  EXPECT_EQ(dimension(text, "x", settings).format, Format::binary32);
  expect_range(dimension(text, "x", settings), -std::numeric_limits<float>::max(), std::numeric_limits<float>::max());
  EXPECT_EQ(dimension(text, "y", settings).format, Format::binary64);
  settings.ranges = {{"x", {0.1L, 1e300L}}};
  EXPECT_EQ(dimension(text, "x", settings).low, 0.1f);
}

constexpr const char* all_sorts =
    "double f(double x, float y, const double* a, int n, long double z, int k) { return x + "
    "y + a[0] + a[1] * n + (double)z * k; }";

TEST(SpaceOf, ARangeForAllIsThatOfAllFloatsAndOfNoInteger) {
  Settings plain, settings;
  plain.sizes = settings.sizes = {{"a", {2}}};
  settings.ranges = {{"*", {-1, 0.1L}}};
  for (const char* name : {"x", "a[0]", "a[1]"})
    expect_range(dimension(all_sorts, name, settings), -1, 0.1);
  expect_range(dimension(all_sorts, "y", settings), -1, 0.1f);
  expect_range(dimension(all_sorts, "z", settings), -1, 0.1L);
  for (const char* name : {"n", "k"}) {
    const search::Dimension before = dimension(all_sorts, name, plain);
    expect_range(dimension(all_sorts, name, settings), before.low, before.high);
  }
}

TEST(SpaceOf, ARangeOfItsOwnGoesBeforeThatOfAll) {
  Settings settings;
  settings.sizes = {{"a", {2}}};
  settings.ranges = {{"*", {-1, 1}}, {"x", {5, 6}}, {"a", {7, 8}}, {"a[1]", {9, 10}}};
  expect_range(dimension(all_sorts, "x", settings), 5, 6);
  expect_range(dimension(all_sorts, "a[0]", settings), 7, 8);
  expect_range(dimension(all_sorts, "a[1]", settings), 9, 10);
  expect_range(dimension(all_sorts, "z", settings), -1, 1);
}

TEST(SpaceOf, AFormatForAllIsThatOfAllFloatsAndOfNoInteger) {
  Settings settings;
  settings.sizes = {{"a", {2}}};
  settings.formats = {{"*", Format::binary32}, {"x", Format::binary64}};
  settings.ranges = {{"k", {0, 16'777'217}}}; // no float
  for (const char* name : {"y", "a[0]", "a[1]", "z"})
    EXPECT_EQ(dimension(all_sorts, name, settings).format, Format::binary32) << name;
  EXPECT_EQ(dimension(all_sorts, "x", settings).format, Format::binary64);
  expect_range(dimension(all_sorts, "k", settings), 0, 16'777'217);
  settings.formats = {{"*", Format::binary64}};
  EXPECT_EQ(dimension(all_sorts, "y", settings).format, Format::binary32) << "formats do not widen";
  EXPECT_EQ(dimension(all_sorts, "z", settings).format, Format::binary64);
}

TEST(SpaceOf, IntegerRangesStayInsideWhatWasAskedFor) {
  Settings settings;
  settings.ranges = {{"n", {0.6L, 2.4L}}};
  expect_range(dimension("double f(double x, int n) { return x * n; }", "n", settings), 1, 2);
}

} // namespace
} // namespace faultline::judge
