// Cancellation by construction: exact values of zero and of other small targets, in formats with few bits.
#include "errand.h"

#include "search/fpgen/cancelling.h"

namespace faultline::test {
namespace {

using search::Cancelling;
using search::TrueError;

constexpr int attempts = 20;

// How often the exact value of the output is the target in the end, of so many starts at random.
int hits(Errand& errand, double target, size_t resting) {
  Cancelling cancelling(errand.quest, errand.errors);
  int hit = 0;
  for (int i = 0; i < attempts; ++i) {
    exec::Input input = errand.space.sample_reals(errand.quest.rng);
    const TrueError error = cancelling.solve(input, 0, target, resting);
    hit += mpfr_cmp_d(errand.exact(input).raw(), target) == 0;
    const TrueError again = errand.errors.measure(input);
    EXPECT_EQ(error.any, again.any) << "the error is that of the input";
    EXPECT_EQ(error.not_zero, again.not_zero);
  }
  EXPECT_EQ(errand.outside, "");
  return hit;
}

TEST(Cancelling, SolvesSumsToExactlyZero) {
  for (size_t count : {3, 8, 32}) {
    Errand errand(sum_of_array, {{"a", {count}}}, array_of(count, -100, 100));
    EXPECT_GE(hits(errand, 0, count / 4), attempts * 3 / 4) << count << " numbers";
  }
}

TEST(Cancelling, SolvesSumsForOtherTargets) {
  for (double target : {1.0, -0x1p-30, 1.5 * double(FLT_MIN), -1.5 * double(FLT_MIN)}) {
    Errand errand(sum_of_array, {{"a", {16}}}, array_of(16, -100, 100));
    EXPECT_GE(hits(errand, target, 4), attempts / 2) << target;
  }
}

TEST(Cancelling, MakesErrorsThatNobodyDrawsAtRandom) {
  Errand errand(sum_of_array, {{"a", {16}}}, array_of(16, -100, 100));
  Cancelling cancelling(errand.quest, errand.errors);
  double drawn = 0, solved = 0;
  for (int i = 0; i < 100; ++i) {
    exec::Input input = errand.space.sample_floats(errand.quest.rng);
    drawn = std::max(drawn, errand.errors.measure(input).any);
    solved = std::max(solved, cancelling.solve(input, 0, 0, 4).any);
  }
  EXPECT_LT(drawn, 1);
  EXPECT_GT(solved, 1e20);
}

// Every input that rests has 24 bits of its own for what the others leave.
TEST(Cancelling, ComesCloserToZeroInProductsWithEveryInputThatRests) {
  for (const auto& [resting, bits] : {std::pair(0, 15), {1, 35}, {3, 60}}) {
    Errand errand(dot_product, dot_sizes, floats(8, -100, 100));
    Cancelling cancelling(errand.quest, errand.errors);
    int close = 0;
    for (int i = 0; i < attempts; ++i) {
      exec::Input input = errand.space.sample_reals(errand.quest.rng);
      cancelling.solve(input, 0, 0, size_t(resting));
      close += errand.exact(input).log2_magnitude() < -bits; // from a few thousand
    }
    EXPECT_GE(close, attempts / 2) << resting;
    EXPECT_EQ(errand.outside, "");
  }
}

TEST(Cancelling, ComesCloseToZeroOfNonlinearFunctions) {
  Errand errand("double f(double x, double y, double z) { return sqrt(x * x + y) - exp(z) * 1.1; }", {},
                {a_float(1, 50), a_float(1, 8), a_double(1, 3)});
  Cancelling cancelling(errand.quest, errand.errors);
  int close = 0;
  for (int i = 0; i < attempts; ++i) {
    exec::Input input = errand.space.sample_reals(errand.quest.rng);
    const double before = errand.exact(input).log2_magnitude();
    cancelling.solve(input, 0, 0, 0);
    close += errand.exact(input).log2_magnitude() < before - 40;
  }
  EXPECT_GE(close, attempts / 2);
  EXPECT_EQ(errand.outside, "");
}

TEST(Cancelling, NeverMovesAwayFromTheTarget) {
  Errand errand("double f(double x, double y) { return sin(x * y) + x / (1 + y * y) - 0.25; }", {},
                {a_float(-100, 100), a_float(-100, 100)});
  Cancelling cancelling(errand.quest, errand.errors);
  for (int i = 0; i < 100; ++i) {
    exec::Input input = errand.space.sample_reals(errand.quest.rng);
    const double before = errand.exact(input).log2_magnitude();
    cancelling.solve(input, 0, 0, 0);
    EXPECT_LE(errand.exact(input).log2_magnitude(), before);
  }
}

TEST(Cancelling, KeepsToRangesAndFormatsAndLeavesHeldInputsAlone) {
  const char* text = "double f(double a, double b, double c, double d, int n) { return a + b - c * d * n; }";
  Errand errand(text, {},
                {a_float(1, 2), a_double(-0.25, 0.25), a_double(3, 3), a_double(-4, -0.01), an_integer(1, 3)});
  Cancelling cancelling(errand.quest, errand.errors);
  for (int i = 0; i < 200; ++i) {
    exec::Input input = errand.space.sample_floats(errand.quest.rng);
    const exec::Input before = input;
    cancelling.solve(input, 0, i % 2 ? 0 : 7.5, errand.quest.rng.below(3));
    EXPECT_EQ(input[2], 3);
    EXPECT_EQ(input[4], before[4]) << "integers have no slope";
  }
  EXPECT_EQ(errand.outside, "");
}

TEST(Cancelling, RestsOnlyWhereZeroIsAValue) {
  Errand errand("double f(double x, double y) { return floor(x) + floor(y); }", {},
                {a_double(-7, -2), a_double(-7, 7)});
  Cancelling cancelling(errand.quest, errand.errors);
  exec::Input input = {-3.5, -4.5};
  cancelling.solve(input, 0, 1, 50);
  EXPECT_EQ(input, (exec::Input{-3.5, 0}));
}

TEST(Cancelling, DoesNothingWithoutASlope) {
  for (const char* text :
       {"double f(double x, double y) { return floor(x) + y * 0; }", "double f(double x, double y) { return 7; }",
        "double f(double x, double y) { return x > y ? 1.5 : 2.5; }"}) {
    Errand errand(text, {}, {a_double(-10, 10), a_double(-10, 10)});
    Cancelling cancelling(errand.quest, errand.errors);
    exec::Input input = {3.7, 2.2};
    cancelling.solve(input, 0, 0, 0);
    EXPECT_EQ(input, (exec::Input{3.7, 2.2})) << text;
    EXPECT_EQ(errand.runs.size(), 1u) << text;
  }
}

TEST(Cancelling, DoesNothingWhereItIsAlreadyThere) {
  Errand errand(sum_of_array, {{"a", {3}}}, array_of(3, -100, 100));
  Cancelling cancelling(errand.quest, errand.errors);
  exec::Input input = {1, 2, -3, 3};
  cancelling.solve(input, 0, 0, 0);
  EXPECT_EQ(input, (exec::Input{1, 2, -3, 3}));
  EXPECT_EQ(errand.runs.size(), 1u);
}

TEST(Cancelling, OfNothingFreeIsOneRun) {
  Errand errand("double f(double x, int n) { return x * n; }", {}, {a_double(3, 3), an_integer(0, 5)});
  Cancelling cancelling(errand.quest, errand.errors);
  exec::Input input = {3, 2};
  EXPECT_TRUE(cancelling.solve(input, 0, 0, 5).usable);
  EXPECT_EQ(input, (exec::Input{3, 2}));
  EXPECT_EQ(errand.runs.size(), 1u);
}

TEST(Cancelling, StopsWhereExactArithmeticTakesAnotherPath) {
  Errand errand("double f(double x) { double y = x + 1; return y - 1 == x ? x * 3 : x / 3; }", {}, {a_double(-9, 9)});
  Cancelling cancelling(errand.quest, errand.errors);
  exec::Input input = {0.1};
  EXPECT_TRUE(cancelling.solve(input, 0, 0, 0).flipped);
  EXPECT_EQ(input, exec::Input{0.1});
  EXPECT_EQ(errand.runs.size(), 1u);
}

TEST(Cancelling, SolvesTheOutputThatItIsAskedFor) {
  Errand errand("void f(double x, double y, double* a, double* b) { *a = x + y; *b = x - y + 1; }", {},
                floats(2, -100, 100), 0, {0, 1});
  Cancelling cancelling(errand.quest, errand.errors);
  for (size_t output : {0, 1}) {
    exec::Input input = {3, 40};
    cancelling.solve(input, output, 0, 0);
    EXPECT_TRUE(errand.exact(input, output).is_zero());
    EXPECT_FALSE(errand.exact(input, 1 - output).is_zero());
  }
}

} // namespace
} // namespace faultline::test
