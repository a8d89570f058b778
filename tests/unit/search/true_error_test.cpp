// The error that searches over many inputs climb by: against exact arithmetic, and by hand.
#include "errand.h"

namespace faultline::test {
namespace {

using search::TrueError;

std::vector<search::Dimension> doubles(size_t count) {
  return std::vector<search::Dimension>(count, a_double(-largest_double, largest_double));
}

// Over sum_of_array with four numbers.
Errand sum_of_four(double floor = 0) {
  std::vector<search::Dimension> dimensions = doubles(4);
  dimensions.push_back(an_integer(4, 4));
  return Errand(sum_of_array, {{"a", {4}}}, dimensions, floor);
}

// 100 swallows 2^-47, half of its ulp; then the hundreds cancel, and the last number stands alone.
exec::Input swallowed(long double last) { return {100, 0x1p-47L, -100, last, 4}; }

TEST(TrueErrors, OfASumThatShouldBeZeroIsMeasuredByTheFloor) {
  Errand errand = sum_of_four();
  EXPECT_EQ(errand.errors.floor(), double(FLT_MIN));
  const TrueError error = errand.errors.measure(swallowed(-0x1p-47L));
  EXPECT_TRUE(error.usable);
  EXPECT_FALSE(error.flipped);
  EXPECT_EQ(error.any, 0x1p-47 / FLT_MIN) << "-2^-47 instead of 0";
  EXPECT_EQ(error.not_zero, 0);
  EXPECT_TRUE(mpfr_zero_p(errand.errors.exact(0)));
}

TEST(TrueErrors, OfOtherSumsIsTheRelativeErrorByBothMeasures) {
  Errand errand = sum_of_four();
  const TrueError error = errand.errors.measure(swallowed(0x1p-46L)); // 2 instead of 3 times 2^-47
  EXPECT_DOUBLE_EQ(error.any, 1.0 / 3);
  EXPECT_EQ(error.not_zero, error.any);
  EXPECT_EQ(mpfr_cmp_d(errand.errors.exact(0), 3 * 0x1p-47), 0);
  const TrueError none = errand.errors.measure({1, 2, 3, 4, 4});
  EXPECT_TRUE(none.usable);
  EXPECT_EQ(none.any, 0);
  EXPECT_EQ(none.not_zero, 0);
}

TEST(TrueErrors, TellResultsAtTheFloorFromThoseBelow) {
  const long double sum = 0x1p-50L, last = sum - 0x1p-47L; // computed: -7 * 2^-50, exact: 2^-50
  Errand at = sum_of_four(0x1p-50), above = sum_of_four(0x1p-49), below = sum_of_four(0x1p-51);
  for (Errand* errand : {&at, &below}) {
    const TrueError error = errand->errors.measure(swallowed(last));
    EXPECT_EQ(error.any, 8);
    EXPECT_EQ(error.not_zero, 8);
  }
  EXPECT_EQ(above.errors.floor(), 0x1p-49);
  const TrueError error = above.errors.measure(swallowed(last));
  EXPECT_EQ(error.any, 4) << "against the floor";
  EXPECT_EQ(error.not_zero, 0);
}

TEST(TrueErrors, TellWhat64BitsCannot) {
  Errand errand = sum_of_four();
  const long double tiny = 0x1p-120L;
  const TrueError error = errand.errors.measure({0x1p100L, tiny, -0x1p100L, tiny, 4});
  EXPECT_DOUBLE_EQ(error.not_zero, 0.5) << "2^-120 instead of 2^-119";
}

TEST(TrueErrors, OfSeveralOutputsIsTheLargest) {
  const char* text = "void f(double x, double* good, double* bad, double* worse) { *good = x * 2; *bad = (x + 1e16) - "
                     "1e16; *worse = (x + 1e17) - 1e17; }";
  Errand all(text, {}, doubles(1), 0, {0, 1, 2});
  const TrueError error = all.errors.measure({3.5});
  EXPECT_EQ(error.output, 2u);
  EXPECT_EQ(error.any, 1) << "0 instead of 3.5";
  Errand some(text, {}, doubles(1), 0, {0, 1});
  EXPECT_EQ(some.errors.measure({3.5}).output, 1u);
  EXPECT_EQ(some.errors.measure({3.5}).any, 0.5 / 3.5) << "4 instead of 3.5";
  Errand good(text, {}, doubles(1), 0, {0});
  EXPECT_EQ(good.errors.measure({3.5}).any, 0);
  Errand last(text, {}, doubles(1), 0, {1, 2});
  EXPECT_EQ(last.errors.measure({1e16}).output, 1u) << "no error: the first that is usable";
}

TEST(TrueErrors, KeepTheMeasuresOfSeveralOutputsApart) {
  Errand errand("void f(double x, double* zero, double* some) { *zero = (x + 1e16) - 1e16 - x; *some = (x + 1e16) - "
                "1e16; }",
                {}, doubles(1), 0x1p-3, {0, 1});
  const TrueError error = errand.errors.measure({3.5});
  EXPECT_EQ(error.any, 4) << "0.5 instead of 0";
  EXPECT_EQ(error.output, 0u);
  EXPECT_EQ(error.not_zero, 0.5 / 3.5);
}

TEST(TrueErrors, LeaveOutWhatIsNotFinite) {
  Errand one("double f(double x) { return 1 / x; }", {}, doubles(1));
  EXPECT_FALSE(one.errors.measure({0}).usable);
  EXPECT_TRUE(one.errors.measure({3}).usable);
  Errand root("double f(double x) { return sqrt(x); }", {}, doubles(1));
  EXPECT_FALSE(root.errors.measure({-1}).usable);
  Errand two("void f(double x, double* a, double* b) { *a = sqrt(x); *b = (x + 1e16) - 1e16; }", {}, doubles(1), 0,
             {0, 1});
  const TrueError error = two.errors.measure({-3.5});
  EXPECT_TRUE(error.usable);
  EXPECT_EQ(error.output, 1u);
  EXPECT_EQ(error.any, 0.5 / 3.5);
}

TEST(TrueErrors, LeaveOutAnOverflowThatExactArithmeticDoesNotHave) {
  Errand errand("double f(double x) { return x * x / x; }", {}, doubles(1));
  EXPECT_FALSE(errand.errors.measure({1e200}).usable);
}

TEST(TrueErrors, OfRunsThatDoNotReturnAreNone) {
  Errand errand("double f(double x) { if (x > 1) abort(); return x / 3; }", {}, doubles(1));
  EXPECT_FALSE(errand.errors.measure({2}).usable);
  EXPECT_TRUE(errand.errors.measure({0.5}).usable);
}

TEST(TrueErrors, OfConstantsAreNone) {
  Errand errand("double f(double x) { return 7; }", {}, doubles(1));
  EXPECT_FALSE(errand.errors.measure({2}).usable);
  EXPECT_EQ(errand.errors.exact(0), nullptr);
  EXPECT_EQ(errand.errors.slopes(0), std::vector<double>{0});
}

constexpr const char* flipping = "double f(double x) { double y = x + 1; return y - 1 == x ? x * 3 : x / 3; }";

TEST(TrueErrors, AreThoseOfThePathThatExactArithmeticTakes) {
  Errand errand(flipping, {}, doubles(1));
  const TrueError flipped = errand.errors.measure({0.1}); // a third instead of three times as much
  EXPECT_TRUE(flipped.usable);
  EXPECT_TRUE(flipped.flipped);
  EXPECT_NEAR(flipped.any, 8.0 / 9, 1e-12);
  EXPECT_EQ(flipped.not_zero, flipped.any);
  const TrueError straight = errand.errors.measure({0.5});
  EXPECT_FALSE(straight.flipped);
  EXPECT_EQ(straight.any, 0);
}

TEST(TrueErrors, OnAnotherPathBelongToTheirOutputs) {
  const char* text = "int f(double x, double* a, int* n, double* b) { double y = x + 1; *n = 5; if (y - 1 == x) { *a = "
                     "x * 2; *b = x * 3; } else { *a = x / 2; *b = x / 3; } return 1; }";
  for (const auto& [name, expected] : {std::pair("a", 3.0 / 4), {"b", 8.0 / 9}}) {
    const model::Target target = Errand(text, {}, doubles(1)).session.target();
    size_t output = 0;
    while (target.outputs.at(output).name != name)
      ++output;
    Errand errand(text, {}, doubles(1), 0, {output});
    const TrueError error = errand.errors.measure({0.1});
    EXPECT_TRUE(error.flipped);
    EXPECT_NEAR(error.any, expected, 1e-12) << name;
  }
}

TEST(TrueErrors, OnAPathWhereExactArithmeticIsAllNoiseAreNotToldApartFromNothing) {
  // Exactly 0 there, but no precision says so: below the floor that is as good as zero.
  Errand errand("double f(double x) { double y = x + 1; return y - 1 == x ? x / 3 * 3 - x : x; }", {}, doubles(1));
  const TrueError error = errand.errors.measure({0.1});
  EXPECT_TRUE(error.usable && error.flipped);
  EXPECT_DOUBLE_EQ(error.any, 0.1 / FLT_MIN);
  EXPECT_EQ(error.not_zero, 0);
}

TEST(TrueErrors, ComeWithTheSlopesOfExactArithmetic) {
  Errand dot(dot_product, dot_sizes, doubles(8));
  dot.errors.measure({1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(dot.errors.slopes(0), (std::vector<double>{5, 6, 7, 8, 1, 2, 3, 4}));
  Errand lost("double f(double x, int n, double y) { return ((x + 1e20) - 1e20) * y * n; }", {},
              {a_double(0, 10), an_integer(0, 3), a_double(0, 10)});
  lost.errors.measure({3, 2, 5});
  const std::vector<double> slopes = lost.errors.slopes(0);
  ASSERT_EQ(slopes.size(), 3u);
  EXPECT_EQ(slopes[0], 10);
  EXPECT_EQ(slopes[2], 6) << "the run lost x, exact arithmetic did not";
}

TEST(TrueErrors, AreChargedToTheBudget) {
  Errand errand = sum_of_four();
  errand.evaluator.run(swallowed(1));
  const uint64_t plain = errand.evaluator.records();
  errand.errors.measure(swallowed(1));
  EXPECT_GT(errand.evaluator.records(), 2 * plain);
}

} // namespace
} // namespace faultline::test
