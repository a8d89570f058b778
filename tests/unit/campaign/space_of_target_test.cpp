// From what the user asked for to the space that is searched and the outputs that are judged.
#include "../temporary_folder.h"

#include "campaign/space_of_target.h"
#include "frontend/error.h"
#include "frontend/program.h"

#include <gtest/gtest.h>
#include <limits>

namespace faultline::campaign {
namespace {

using numeric::Format;

frontend::Target target_of(const std::string& text, const Options& options = {}) {
  test::TemporaryFolder folder;
  return frontend::Program::load({{folder.write("subject.c", text)}, {}, ""}).find({"f"}, options.sizes).at(0);
}

search::Dimension dimension(const std::string& text, const std::string& name, const Options& options = {}) {
  const search::Space space = space_of(target_of(text, options), options);
  for (const search::Dimension& dimension : space.dimensions)
    if (dimension.name == name)
      return dimension;
  ADD_FAILURE() << "no input " << name;
  return {};
}

void expect_range(const search::Dimension& dimension, long double low, long double high) {
  EXPECT_EQ(dimension.low, low);
  EXPECT_EQ(dimension.high, high);
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
  const frontend::Target target = target_of("double f(double x, int n, unsigned char k) { return x + n + k; }");
  const auto is_refused = [&](const std::string& name, Range range) {
    Options ranged, held;
    ranged.ranges[name] = range;
    held.held[name] = range.high;
    const auto refuses = [&](const Options& options) {
      try {
        check_names({target}, options);
        return false;
      } catch (const frontend::UserError&) {
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
  const frontend::Target target = target_of("double f(double x, int n, _Bool b) { return b ? x + n : x; }");
  Options options;
  const auto assumed = [&] {
    std::string names;
    for (const frontend::Cell& cell : target.inputs)
      names += is_assumed(cell, target, options) ? cell.name : "";
    return names;
  };
  EXPECT_EQ(assumed(), "n");
  options.ranges["n"] = {0, 3};
  EXPECT_EQ(assumed(), "");
  options.ranges.clear();
  options.held["n"] = 3;
  EXPECT_EQ(assumed(), "");
}

TEST(SpaceOf, RangesGoByCellAndByParameter) {
  Options options;
  options.sizes = {{"a", {3}}};
  options.ranges = {{"a", {-1, 1}}, {"a[1]", {5, 6}}, {"x", {0, 10}}};
  const char* text = "double f(double x, const double* a) { return x + a[0] + a[1] + a[2]; }";
  expect_range(dimension(text, "x", options), 0, 10);
  expect_range(dimension(text, "a[0]", options), -1, 1);
  expect_range(dimension(text, "a[1]", options), 5, 6);
  expect_range(dimension(text, "a[2]", options), -1, 1);
}

TEST(SpaceOf, HeldInputsStandStill) {
  Options options;
  options.held = {{"x", 0.1L}, {"n", 3}};
  options.ranges = {{"x", {-5, 5}}};
  const char* text = "double f(double x, int n, double y) { return x * n + y; }";
  EXPECT_TRUE(dimension(text, "x", options).held());
  EXPECT_EQ(dimension(text, "x", options).low, 0.1) << "the double, not the long double";
  expect_range(dimension(text, "n", options), 3, 3);
  EXPECT_FALSE(dimension(text, "y", options).held());
}

TEST(SpaceOf, FormatsNarrowButDoNotWiden) {
  Options options;
  options.formats = {{"x", Format::binary32}, {"y", Format::extended80}};
  const char* text = "double f(double x, double y) { return x + y; }";
  EXPECT_EQ(dimension(text, "x", options).format, Format::binary32);
  expect_range(dimension(text, "x", options), -std::numeric_limits<float>::max(), std::numeric_limits<float>::max());
  EXPECT_EQ(dimension(text, "y", options).format, Format::binary64);
  options.ranges = {{"x", {0.1L, 1e300L}}};
  EXPECT_EQ(dimension(text, "x", options).low, 0.1f);
}

constexpr const char* all_sorts =
    "double f(double x, float y, const double* a, int n, long double z, int k) { return x + "
    "y + a[0] + a[1] * n + (double)z * k; }";

TEST(SpaceOf, ARangeForAllIsThatOfAllFloatsAndOfNoInteger) {
  Options plain, options;
  plain.sizes = options.sizes = {{"a", {2}}};
  options.ranges = {{"*", {-1, 0.1L}}};
  for (const char* name : {"x", "a[0]", "a[1]"})
    expect_range(dimension(all_sorts, name, options), -1, 0.1);
  expect_range(dimension(all_sorts, "y", options), -1, 0.1f);
  expect_range(dimension(all_sorts, "z", options), -1, 0.1L);
  for (const char* name : {"n", "k"}) {
    const search::Dimension before = dimension(all_sorts, name, plain);
    expect_range(dimension(all_sorts, name, options), before.low, before.high);
  }
}

TEST(SpaceOf, ARangeOfItsOwnGoesBeforeThatOfAll) {
  Options options;
  options.sizes = {{"a", {2}}};
  options.ranges = {{"*", {-1, 1}}, {"x", {5, 6}}, {"a", {7, 8}}, {"a[1]", {9, 10}}};
  expect_range(dimension(all_sorts, "x", options), 5, 6);
  expect_range(dimension(all_sorts, "a[0]", options), 7, 8);
  expect_range(dimension(all_sorts, "a[1]", options), 9, 10);
  expect_range(dimension(all_sorts, "z", options), -1, 1);
}

TEST(SpaceOf, AFormatForAllIsThatOfAllFloatsAndOfNoInteger) {
  Options options;
  options.sizes = {{"a", {2}}};
  options.formats = {{"*", Format::binary32}, {"x", Format::binary64}};
  options.ranges = {{"k", {0, 16'777'217}}}; // no float
  for (const char* name : {"y", "a[0]", "a[1]", "z"})
    EXPECT_EQ(dimension(all_sorts, name, options).format, Format::binary32) << name;
  EXPECT_EQ(dimension(all_sorts, "x", options).format, Format::binary64);
  expect_range(dimension(all_sorts, "k", options), 0, 16'777'217);
  options.formats = {{"*", Format::binary64}};
  EXPECT_EQ(dimension(all_sorts, "y", options).format, Format::binary32) << "formats do not widen";
  EXPECT_EQ(dimension(all_sorts, "z", options).format, Format::binary64);
}

TEST(SpaceOf, LengthsAreThoseOfTheArrays) {
  Options options;
  options.sizes = {{"a", {7}}};
  const char* text = "double f(const double* a, int n, int stride, int k) { double s = 0; for (int i = 0; i < n; i += "
                     "stride) s += a[i]; return s + a[k]; }";
  expect_range(dimension(text, "n", options), 7, 7);
  expect_range(dimension(text, "stride", options), 1, 1);
  expect_range(dimension(text, "k", options), 0, 6);
  options.ranges = {{"n", {1, 7}}};
  expect_range(dimension(text, "n", options), 1, 7);
}

TEST(SpaceOf, LengthsFollowASizeForAllArrays) {
  Options options;
  options.sizes = {{"*", {5}}};
  expect_range(
      dimension(
          "double f(const double* a, long len) { double s = 0; for (long i = 0; i < len; i++) s += a[i]; return s; }",
          "len", options),
      5, 5);
}

TEST(SpaceOf, LengthWithoutAnArrayIsAnOrdinaryInteger) {
  EXPECT_FALSE(dimension("double f(double x, int n) { return x * n; }", "n").held());
}

TEST(SpaceOf, IntegerRangesStayInsideWhatWasAskedFor) {
  Options options;
  options.ranges = {{"n", {0.6L, 2.4L}}};
  expect_range(dimension("double f(double x, int n) { return x * n; }", "n", options), 1, 2);
}

std::vector<std::string> judged(const std::string& text, const Options& options = {}) {
  const frontend::Target target = target_of(text, options);
  std::vector<std::string> names;
  for (size_t index : judged_outputs(target, options))
    names.push_back(target.outputs.at(index).name);
  return names;
}

using Names = std::vector<std::string>;
constexpr const char* gsl_like = "typedef struct { double val; double err; } result;\nint f(double x, result* r) { "
                                 "r->val = x * x; r->err = x * 1e-16; return 0; }";

TEST(JudgedOutputs, AreTheFloatsButNotErrorEstimates) {
  EXPECT_EQ(judged("double f(double x, float* y) { *y = 1; return x; }").size(), 2u);
  EXPECT_EQ(judged(gsl_like), Names{"r.val"});
}

TEST(JudgedOutputs, AreTheNamedOnes) {
  Options options;
  options.outputs = {"r.err"};
  EXPECT_EQ(judged(gsl_like, options), Names{"r.err"});
  options.outputs = {"r"};
  EXPECT_EQ(judged(gsl_like, options), (Names{"r.val", "r.err"}));
  options.outputs = {"nothing"};
  EXPECT_EQ(judged(gsl_like, options), Names{});
}

TEST(JudgedOutputs, AreErrorEstimatesIfThereIsNothingElse) {
  EXPECT_EQ(judged("void f(double x, double* err) { *err = x * x; }").size(), 1u);
}

struct Wrong {
  std::string name;
  std::function<void(Options&)> set;
  std::string option;
};
void PrintTo(const Wrong& wrong, std::ostream* stream) { *stream << wrong.name; }

class CheckNames : public testing::TestWithParam<Wrong> {};

TEST_P(CheckNames, TellsTheUserWhichNamesThereAre) {
  Options options;
  options.sizes = {{"a", {2}}};
  const frontend::Target target = target_of("double f(double x, const double* a) { return x + a[0] * a[1]; }", options);
  EXPECT_NO_THROW(check_names({target}, options));
  GetParam().set(options);
  try {
    check_names({target}, options);
    FAIL() << "nobody minds";
  } catch (const frontend::UserError& error) {
    EXPECT_EQ(error.status, 2);
    EXPECT_NE(std::string(error.what()).find("zz"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find(GetParam().option), std::string::npos) << error.what();
    EXPECT_NE(error.hint.find(GetParam().option == "--output" ? "return" : "a"), std::string::npos) << error.hint;
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, CheckNames,
    testing::Values(Wrong{"range",
                          [](Options& options) {
                            options.ranges["zz"] = {0, 1};
                          },
                          "--range"},
                    Wrong{"hold", [](Options& options) { options.held["zz"] = 1; }, "--hold"},
                    Wrong{"format", [](Options& options) { options.formats["zz"] = Format::binary32; }, "--format"},
                    Wrong{"size", [](Options& options) { options.sizes["zz"] = {3}; }, "--size"},
                    Wrong{"output", [](Options& options) { options.outputs = {"zz"}; }, "--output"},
                    Wrong{"element_beyond_the_end",
                          [](Options& options) {
                            options.ranges["zz[5]"] = {0, 1};
                          },
                          "--range"}),
    [](const auto& info) { return info.param.name; });

TEST(CheckNames, TakesCellsParametersAndAll) {
  Options options;
  options.sizes = {{"*", {2}}};
  options.ranges = {{"a", {0, 1}}, {"a[1]", {0, 1}}, {"*", {0, 1}}};
  options.formats = {{"*", Format::binary32}};
  options.held = {{"x", 1}};
  options.outputs = {"return"};
  const frontend::Target target = target_of("double f(double x, const double* a) { return x + a[0] * a[1]; }", options);
  EXPECT_NO_THROW(check_names({target}, options));
}

TEST(SpaceOf, RowsAndColumnsAreThoseOfTheMatrix) {
  Options options;
  options.sizes = {{"A", {3, 4}}};
  auto held = [&](const std::string& parameters, const std::string& name, long double value) {
    SCOPED_TRACE(name);
    expect_range(dimension("double f(const double* A, " + parameters + ") { return A[0]; }", name, options), value,
                 value);
  };
  held("int rows, int cols", "rows", 3);
  held("int rows, int cols", "cols", 4);
  held("int nrow, int ncol", "nrow", 3);
  held("int nrow, int ncol", "ncol", 4);
  held("int m, int n", "m", 3);
  held("int m, int n", "n", 4);
  held("int n", "n", 3);
  held("long count", "count", 3);
  options.sizes = {{"A", {10}}}; // as many as surely fit
  held("int rows, int cols", "rows", 3);
  held("int rows, int cols", "cols", 3);
  held("int rows", "rows", 10);
}

TEST(SpaceOf, LengthBesideStructsIsTheirNumber) {
  Options options;
  options.sizes = {{"p", {16}}};
  const char* text =
      "struct point { double x, y; };\ndouble f(const struct point* p, int n) { double s = 0; for (int i = 0; "
      "i < n; ++i) s += p[i].x * p[i].y; return s; }";
  expect_range(dimension(text, "n", options), 16, 16);
  EXPECT_EQ(dimension(text, "p[15].y", options).name, "p[15].y");
}

} // namespace
} // namespace faultline::campaign
