// The strategy for many inputs: extreme errors of sums and products, found with a few thousand evaluations.
#include "searching.h"

#include <cfloat>

namespace faultline::test {
namespace {

using search::Candidate;
using search::Dimension;
using search::Space;

struct Wishes {
  uint64_t evaluations = 6000;
  uint64_t seed = 1;
  double floor = double(FLT_MIN);
  bool nonzero = false;
  std::vector<size_t> outputs = {0};
};

Searched fpgen(exec::Session& session, const Space& space, const Wishes& wishes = {}) {
  Searched searched;
  search::Budget budget;
  budget.evaluations = wishes.evaluations;
  budget.records = 60'000'000; // of the solvers, too
  budget.seconds = 1e6;
  search::Evaluator evaluator(session, budget, [&](const exec::Input& input, const exec::Run&, const tape::Tape&) {
    searched.runs.push_back(input);
    for (size_t i = 0; i < input.size(); ++i)
      if (searched.outside.empty() && !is_value_of(space.dimensions.at(i), input[i]))
        searched.outside = fmt::format("run {}: input {} is {}", searched.runs.size(), i, input[i]);
  });
  search::Quest quest{evaluator, space, wishes.outputs, numeric::Rng(wishes.seed)};
  quest.floor = wishes.floor;
  quest.nonzero = wishes.nonzero;
  searched.candidates = search::find_strategy("fpgen")->run(quest);
  searched.evaluations = evaluator.evaluations();
  EXPECT_EQ(searched.outside, "");
  EXPECT_LE(searched.evaluations, wishes.evaluations + 32) << "the last construction may come to its end";
  for (size_t i = 0; i < searched.candidates.size(); ++i) {
    EXPECT_EQ(searched.candidates[i].strategy, "fpgen");
    EXPECT_TRUE(i == 0 || searched.candidates[i].score <= searched.candidates[i - 1].score);
  }
  return searched;
}

// The exact result and the error of a run, by replay: the code has no branches.
struct Verified {
  numeric::BigFloat exact;
  double error = 0; // against the larger of result and floor
};
Verified verify(exec::Session& session, const exec::Input& input, double floor = double(FLT_MIN)) {
  const tape::Tape tape = read(session, input);
  Verified verified{tape::replay(tape, 2000).values[output_record(tape)], 0};
  const numeric::BigFloat smallest(floor, 64);
  numeric::BigFloat error(tape.outputs()[0].value, 2000), magnitude = verified.exact;
  mpfr_sub(error.raw(), error.raw(), verified.exact.raw(), MPFR_RNDN);
  mpfr_abs(magnitude.raw(), magnitude.raw(), MPFR_RNDN);
  mpfr_div(error.raw(), error.raw(), magnitude < smallest ? smallest.raw() : magnitude.raw(), MPFR_RNDN);
  verified.error = std::fabs(error.to_double());
  return verified;
}

struct Benchmark {
  std::string name, text;
  model::Sizes sizes;
  size_t inputs;
  uint64_t evaluations;
  double error, not_zero; // to be found
};
void PrintTo(const Benchmark& benchmark, std::ostream* stream) { *stream << benchmark.name; }

class Benchmarks : public testing::TestWithParam<Benchmark> {
protected:
  exec::Session session = open_math(GetParam().text, GetParam().sizes);
  Space space{std::vector<Dimension>(GetParam().inputs, a_float(-100, 100))};
};

TEST_P(Benchmarks, HaveExtremeErrors) {
  const auto candidates = fpgen(session, space, {.evaluations = GetParam().evaluations}).candidates;
  ASSERT_FALSE(candidates.empty());
  EXPECT_GT(verify(session, candidates.front().input).error, GetParam().error);
  for (const Candidate& candidate : candidates)
    EXPECT_NEAR(verify(session, candidate.input).error / candidate.score, 1, 1e-9) << "the score is the true error";
}

TEST_P(Benchmarks, HaveExtremeErrorsWhoseExactResultIsNotZero) {
  const auto candidates = fpgen(session, space, {.evaluations = GetParam().evaluations, .nonzero = true}).candidates;
  ASSERT_FALSE(candidates.empty());
  double largest = 0;
  for (const Candidate& candidate : candidates) {
    const Verified verified = verify(session, candidate.input);
    EXPECT_GE(std::fabs(verified.exact.to_double()), double(FLT_MIN));
    largest = std::max(largest, verified.error);
  }
  EXPECT_GT(largest, GetParam().not_zero);
}

const char* const recursive = "double f(double* a) { for (int i = 31; i > 0; --i) a[i - 1] = a[i - 1] + a[i]; return "
                              "a[0]; }";
const char* const pairwise =
    "double f(double* a) { for (int left = 32; left > 1; left /= 2) for (int i = 0; i < left / "
    "2; ++i) a[i] = a[2 * i] + a[2 * i + 1]; return a[0]; }";
const char* const compensated = "double f(double* a) { double e = 0; for (int i = 31; i > 0; --i) { double s = a[i], v "
                                "= a[i - 1] + e; a[i - 1] = s + v; e = (s - a[i - 1]) + v; } return a[0]; }";
const char* const dot = "double f(const double* x, const double* y) { double s = 0; for (int i = 0; i < 4; i++) s += "
                        "x[i] * y[i]; return s; }";

INSTANTIATE_TEST_SUITE_P(All, Benchmarks,
                         testing::Values(Benchmark{"recursive_sum", recursive, {{"a", {32}}}, 32, 6000, 1e20, 1e20},
                                         Benchmark{"pairwise_sum", pairwise, {{"a", {32}}}, 32, 6000, 1e20, 1e20},
                                         Benchmark{"compensated_sum", compensated, {{"a", {32}}}, 32, 6000, 1e20, 1e20},
                                         Benchmark{
                                             "dot_product", dot, {{"x", {4}}, {"y", {4}}}, 8, 150'000, 1e20, 1e8}),
                         [](const auto& info) { return info.param.name; });

TEST(Fpgen, DependsOnTheSeedAlone) {
  exec::Session session = open_math(dot, {{"x", {4}}, {"y", {4}}});
  const Space space{std::vector<Dimension>(8, a_float(-100, 100))};
  const auto inputs = [&](uint64_t seed) {
    std::vector<exec::Input> all;
    for (const Candidate& candidate : fpgen(session, space, {.evaluations = 4000, .seed = seed}).candidates)
      all.push_back(candidate.input);
    return all;
  };
  EXPECT_EQ(inputs(3), inputs(3));
  EXPECT_NE(inputs(3), inputs(4));
}

TEST(Fpgen, MeasuresByTheFloorThatWasAskedFor) {
  exec::Session session = open_math("double f(double* a) { return a[0] + a[1] + a[2] + a[3]; }", {{"a", {4}}});
  const Space space{std::vector<Dimension>(4, a_float(-100, 100))};
  for (bool nonzero : {false, true}) {
    const auto candidates = fpgen(session, space, {.evaluations = 4000, .floor = 1e-3, .nonzero = nonzero}).candidates;
    ASSERT_FALSE(candidates.empty());
    for (const Candidate& candidate : candidates) {
      const Verified verified = verify(session, candidate.input, 1e-3);
      EXPECT_NEAR(verified.error / candidate.score, 1, 1e-9);
      if (nonzero)
        EXPECT_GE(std::fabs(verified.exact.to_double()), 1e-3);
    }
  }
}

struct Odd {
  std::string name, text;
  std::vector<Dimension> dimensions;
};
void PrintTo(const Odd& odd, std::ostream* stream) { *stream << odd.name; }

class Scalars : public testing::TestWithParam<Odd> {};

TEST_P(Scalars, AreSearchedToo) {
  exec::Session session = open_math(GetParam().text);
  for (bool nonzero : {false, true}) {
    const Searched searched = fpgen(session, {GetParam().dimensions}, {.evaluations = 3000, .nonzero = nonzero});
    EXPECT_GE(searched.evaluations, 3000u);
    ASSERT_FALSE(searched.candidates.empty());
    EXPECT_GT(searched.candidates.front().score, 1e-3);
  }
}

const Dimension any_double = a_double(-largest_double, largest_double);
INSTANTIATE_TEST_SUITE_P(
    All, Scalars,
    testing::Values(Odd{"one_input", "double f(double x) { return (1 - cos(x)) / (x * x); }", {any_double}},
                    Odd{"two_inputs", "double f(double x, double y) { return (x + y) - x; }", {any_double, any_double}},
                    Odd{"an_integer_too",
                        "double f(double x, int n) { return pow(x, n) - x * 1.1; }",
                        {a_double(-9, 9), an_integer(-4, 20)}},
                    Odd{"a_held_one_too",
                        "double f(double x, double y) { return (x + y) - y; }",
                        {a_double(-9, 9), a_double(1e10, 1e10)}},
                    Odd{"long_doubles",
                        "long double f(long double x, long double y) { return (x + y) - y; }",
                        {a_long_double(-1e4000L, 1e4000L), a_long_double(1, 1e30L)}},
                    Odd{"branches",
                        "double f(double x, double y) { if (x * 1.1 > y) return x - y; return x + 1 - y; }",
                        {a_double(-9, 9), a_double(-9, 9)}},
                    Odd{"integers_alone",
                        "double f(double x, int n, int m) { return (n * 0.1 + x) - x + m; }",
                        {a_double(3e15, 3e15), an_integer(-4, 20), an_integer(0, 9)}}),
    [](const auto& info) { return info.param.name; });

TEST(Fpgen, WithoutFreeInputsRunsTheOnlyOne) {
  exec::Session session = open_math("double f(double x, int n) { return (x + 1e16) - 1e16 + n; }");
  const Searched searched = fpgen(session, {{a_double(3.5, 3.5), an_integer(0, 0)}});
  ASSERT_FALSE(searched.candidates.empty());
  for (const Candidate& candidate : searched.candidates) {
    EXPECT_EQ(candidate.input, (exec::Input{3.5, 0}));
    EXPECT_DOUBLE_EQ(candidate.score, 0.5 / 3.5);
  }
  EXPECT_EQ(searched.evaluations, 1u);
}

TEST(Fpgen, SurvivesCodeThatNeverReturnsANumber) {
  for (const char* text : {"double f(double x, double y) { return NAN * x; }",
                           "double f(double x, double y) { abort(); }", "double f(double x, double y) { return 1; }"}) {
    exec::Session session = open_math(text);
    EXPECT_TRUE(fpgen(session, {{any_double, any_double}}, {.evaluations = 3000}).candidates.empty()) << text;
  }
}

TEST(Fpgen, JudgesTheOutputsThatItIsAskedFor) {
  exec::Session session =
      open_math("void f(double x, double y, double* a, double* b) { *a = x + y; *b = (x + y) - x; }");
  const Space space{{a_double(-9, 9), a_double(-9, 9)}};
  EXPECT_GT(fpgen(session, space, {.evaluations = 3000, .outputs = {0, 1}}).candidates.at(0).score, 0.5);
  for (const Candidate& candidate : fpgen(session, space, {.evaluations = 3000, .outputs = {0}}).candidates)
    EXPECT_LE(candidate.score, 0x1p-53);
}

} // namespace
} // namespace faultline::test
