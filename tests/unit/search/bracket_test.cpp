// The default search: budgets and ranges are the user's, the needles are what it is there for.
#include "searching.h"

namespace faultline::test {
namespace {

using search::Candidate;
using search::Dimension;
using search::Space;

Space doubles(size_t inputs, long double low = -largest_double, long double high = largest_double) {
  return {std::vector<Dimension>(inputs, a_double(low, high))};
}

std::string text_of(const Searched& searched) {
  std::string text;
  for (const Candidate& candidate : searched.candidates) {
    text += fmt::format("{} {:a}", candidate.site, candidate.score);
    for (long double value : candidate.input)
      text += fmt::format(" {}", value);
    text += "\n";
  }
  return text;
}

struct Kept {
  std::string name, text;
  Space space;
  model::Sizes sizes = {};
};
void PrintTo(const Kept& kept, std::ostream* stream) { *stream << kept.name; }

class Bracket : public testing::TestWithParam<Kept> {};

TEST_P(Bracket, KeepsToEveryBudget) {
  exec::Session session = open_math(GetParam().text, GetParam().sizes);
  for (uint64_t evaluations : {0, 1, 2, 3, 4, 5, 7, 10, 16, 33, 50, 99, 200, 333, 500, 1000, 1700, 2500, 5000}) {
    const Searched searched = search_in(session, GetParam().space, {.evaluations = evaluations});
    EXPECT_LE(searched.evaluations, evaluations);
    EXPECT_EQ(searched.runs.size(), searched.evaluations);
    if (evaluations > 0)
      EXPECT_GT(searched.evaluations, 0u);
  }
}

TEST_P(Bracket, RunsNothingOutsideTheRanges) {
  exec::Session session = open_math(GetParam().text, GetParam().sizes);
  for (uint64_t seed : {1, 2, 3}) {
    const Searched searched = search_in(session, GetParam().space, {.evaluations = 8000, .seed = seed});
    EXPECT_EQ(searched.outside, "");
    for (const Candidate& candidate : searched.candidates)
      for (size_t i = 0; i < candidate.input.size(); ++i)
        EXPECT_TRUE(is_value_of(GetParam().space.dimensions[i], candidate.input[i])) << candidate.input[i];
  }
}

TEST_P(Bracket, DependsOnTheSeedAlone) {
  exec::Session session = open_math(GetParam().text, GetParam().sizes),
                other = open_math(GetParam().text, GetParam().sizes);
  const Searched first = search_in(session, GetParam().space, {.evaluations = 3000});
  const Searched again = search_in(session, GetParam().space, {.evaluations = 3000});
  const Searched elsewhere = search_in(other, GetParam().space, {.evaluations = 3000});
  EXPECT_EQ(text_of(first), text_of(again));
  EXPECT_EQ(text_of(first), text_of(elsewhere));
  EXPECT_EQ(first.runs, elsewhere.runs);
}

TEST_P(Bracket, ProposesNoInputTwice) {
  exec::Session session = open_math(GetParam().text, GetParam().sizes);
  const Searched searched = search_in(session, GetParam().space, {.evaluations = 5000});
  std::set<exec::Input> seen;
  for (size_t i = 0; i < searched.candidates.size(); ++i) {
    EXPECT_TRUE(seen.insert(searched.candidates[i].input).second);
    EXPECT_EQ(searched.candidates[i].strategy, "bracket");
    if (i > 0)
      EXPECT_LE(searched.candidates[i].score, searched.candidates[i - 1].score) << "largest first";
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Bracket,
    testing::Values(
        Kept{"one_double", "double f(double x) { return x * x - 2 + sin(x); }", doubles(1)},
        Kept{"one_double_of_a_range", "double f(double x) { return log(x) - 0.5; }", doubles(1, 0.5, 3)},
        Kept{"neighbouring_doubles",
             "double f(double x) { return x * x - 2; }",
             {{a_double(1.414213562373095, 1.4142135623730954)}}},
        Kept{"a_double_of_float_values", "double f(double x) { return x * x - 2; }", {{a_float(-100, 100)}}},
        Kept{"one_float", "float f(float x) { return x * x - 2 + sinf(x); }", {{a_float(-1e30f, 1e30f)}}},
        Kept{"one_long_double",
             "long double f(long double x) { return x * x - 2; }",
             {{a_long_double(-1e4000L, 1e4000L)}}},
        Kept{"two_long_doubles",
             "long double f(long double x, long double y) { return x * x - y * 3 + y; }",
             {std::vector<Dimension>(2, a_long_double(-std::numeric_limits<long double>::max(),
                                                      std::numeric_limits<long double>::max()))}},
        Kept{"two_doubles", "double f(double x, double y) { return x * x - y * y; }", doubles(2)},
        Kept{"a_double_and_an_integer",
             "double f(double x, int n) { return x * n - 2 + floor(x); }",
             {{a_double(-5, 5), an_integer(-3, 9)}}},
        Kept{"integers",
             "double f(double x, int n, int m) { return n * 0.1 - m * x; }",
             {{a_double(0.25, 0.25), an_integer(-100, 1000), an_integer(0, 3)}}},
        Kept{"held", "double f(double x, double y) { return x * x - y; }", {{a_double(-5, 5), a_double(2, 2)}}},
        Kept{"all_held", "double f(double x, double y) { return x * x - y; }", {{a_double(3, 3), a_double(2, 2)}}},
        Kept{"mixed_formats",
             "double f(double x, double y, float z) { return x * y - z; }",
             {{a_float(-1, 8), a_double(0.5, 1e10L), a_float(-3, -1)}}},
        Kept{"an_array",
             "double f(const double* a) { return a[0] * a[1] - a[2] * a[3]; }",
             doubles(4, -100, 100),
             {{"a", {4}}}},
        Kept{"crashing", "double f(double x, double y) { if (x > y) abort(); return x - y * y; }", doubles(2)},
        Kept{"always_crashing", "double f(double x) { if (x == x) abort(); return x; }", doubles(1)},
        Kept{"never_finite", "double f(double x) { return 1 / (x * 0) - 1; }", doubles(1)},
        Kept{"without_danger", "double f(double x, double y) { return x * y; }", doubles(2)},
        Kept{"without_operations", "double f(double x) { return x; }", doubles(1)}),
    [](const auto& info) { return info.param.name; });

struct Needle {
  std::string name, text;
  Space space;
  model::Sizes sizes = {};
  uint64_t evaluations = 20'000;
};
void PrintTo(const Needle& needle, std::ostream* stream) { *stream << needle.name; }

class FindsWithBrackets : public testing::TestWithParam<Needle> {};

TEST_P(FindsWithBrackets, AnErrorThatTheReplayConfirms) {
  for (uint64_t seed : {1, 2, 3}) {
    exec::Session session = open_math(GetParam().text, GetParam().sizes);
    const Searched searched =
        search_in(session, GetParam().space, {.evaluations = GetParam().evaluations, .seed = seed});
    EXPECT_GT(largest_verified(session, searched.candidates), 1e-3) << "seed " << seed;
    EXPECT_EQ(searched.outside, "");
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, FindsWithBrackets,
    testing::Values(
        Needle{"the_root_of_a_parabola", "double f(double x) { return x * x - 2; }", doubles(1)},
        Needle{"the_root_of_a_cubic", "double f(double x) { return ((x * 3.7 - 11) * x + 5.1) * x - 123; }",
               doubles(1)},
        Needle{"a_root_deep_in_the_domain", "double f(double x) { return x * 1.7 - 1e217; }", doubles(1)},
        Needle{"a_root_of_an_expanded_product",
               "double f(double x) { return x * x * x - 6.6 * x * x + 14.51 * x - 10.626; }", doubles(1, 1, 3)},
        Needle{"the_tangent_near_90_degrees", "double f(double x) { return tan(x * 0.017453292519943295); }",
               doubles(1, 0, 180)},
        Needle{"the_sine_near_multiples_of_180_degrees", "double f(double x) { return sin(x * 0.017453292519943295); }",
               doubles(1)},
        Needle{"the_logarithm_near_1", "double f(double x) { return log(x / 3.3) * 2; }", doubles(1)},
        Needle{"the_logarithm_of_1_plus_x", "double f(double x) { return log(1 + x); }", doubles(1, -0.5, 100)},
        Needle{"large_arguments", "double f(double x) { return cos(x * 1.1); }", doubles(1)},
        Needle{"a_range_reduction",
               "double f(double x) { double k = floor(x / 6.283185307179586); return sin(x - k * "
               "6.283185307179586); }",
               doubles(1)},
        Needle{"one_minus_cosine", "double f(double x) { return (1 - cos(x)) / (x * x); }", doubles(1)},
        Needle{"floats_that_cancel", "float f(float x) { return x * x * x - 17; }", {{a_float(-1e10f, 1e10f)}}},
        Needle{"long_doubles_that_cancel",
               "long double f(long double x) { return x * x * x - 17; }",
               {{a_long_double(-1e100L, 1e100L)}}},
        Needle{"a_branch_of_its_own",
               "double f(double x) { if (x > 12.25 && x < 12.5) return x * 3.3 - 40.7; return x * 3; }",
               doubles(1, -1000, 1000)},
        Needle{"a_loop",
               "double f(double x) { double s = x; for (int i = 0; i < 30; i++) s = s * 0.9 - 1.3; return s; }",
               doubles(1, -1000, 1000)},
        Needle{"an_integer_beside_a_float",
               "double f(double x, int n) { double p = 1; for (int i = 0; i < n; i++) p *= x; return p - 5; }",
               {{a_double(0.5, 10), an_integer(2, 6)}}},
        Needle{"the_difference_of_squares", "double f(double a, double b) { return a * a - b * b; }", doubles(2)},
        Needle{"the_difference_of_squares_of_usual_size", "double f(double a, double b) { return a * a - b * b; }",
               doubles(2, -100, 100)},
        Needle{"a_product_less_a_number", "double f(double x, double y, double z) { return x * y - z; }", doubles(3)},
        Needle{"a_discriminant", "double f(double a, double b, double c) { return b * b - 4 * a * c; }", doubles(3)},
        Needle{"a_discriminant_of_usual_size", "double f(double a, double b, double c) { return b * b - 4 * a * c; }",
               doubles(3, -50, 50)},
        Needle{"a_textbook_root",
               "double f(double a, double b, double c) { return (-b + sqrt(b * b - 4 * a * c)) / (2 * a); }",
               doubles(3, 0x1p-10L, 1e9)},
        Needle{"a_dot_product",
               "double f(const double* a, const double* b) { double s = 0; for (int i = 0; i < 3; i++) "
               "s += a[i] * b[i]; return s; }",
               doubles(6, -1000, 1000),
               {{"a", {3}}, {"b", {3}}}},
        Needle{"a_sign_that_changes_in_a_narrow_strip_only",
               "double f(double x, double y) { double d = x - y; return d * d - 1e-6 * (x * y); }", doubles(2)},
        Needle{"a_determinant",
               "double f(const double* m) { return m[0] * m[3] - m[1] * m[2]; }",
               doubles(4),
               {{"m", {4}}}}),
    [](const auto& info) { return info.param.name; });

TEST(BracketSearch, FindsTheFaultsOfBothBranches) {
  exec::Session session =
      open_math("double f(double x) { if (x < 5) return x * x - 2; return (exp(x - 7) - 1.5) * 3; }");
  const Searched searched = search_in(session, doubles(1, -100, 100));
  bool below = false, above = false;
  for (const Candidate& candidate : searched.candidates)
    if (verified(session, candidate.input) > 1e-3)
      (candidate.input[0] < 5 ? below : above) = true;
  EXPECT_TRUE(below);
  EXPECT_TRUE(above);
}

// One root of many must not fill the list.
TEST(BracketSearch, FindsEveryRootOfAPolynomial) {
  exec::Session session = open_math("double f(double x) { return ((x - 6.6) * x + 14.51) * x - 10.626; }");
  const Searched searched = search_in(session, doubles(1, 0, 10)); // at about 2.1, 2.2 and 2.3
  for (double root : {2.1, 2.2, 2.3})
    EXPECT_TRUE(std::any_of(searched.candidates.begin(), searched.candidates.end(), [&](const Candidate& candidate) {
      return std::fabs(candidate.input[0] - root) < 1e-9 && verified(session, candidate.input) > 1e-3;
    })) << root;
}

// The largest errors lie around 0, the last that count at about 0.08 to either side.
TEST(BracketSearch, TellsHowFarARangeOfErrorsReaches) {
  exec::Session session = open_math("double f(double x) { return ((x * x + 1e-4) + 1e11) - 1e11; }");
  const Searched searched = search_in(session, doubles(1, -100, 100));
  long double lowest = 0, highest = 0;
  for (const Candidate& candidate : searched.candidates)
    if (verified(session, candidate.input) > 1e-3) {
      lowest = std::min(lowest, candidate.input[0]);
      highest = std::max(highest, candidate.input[0]);
    }
  EXPECT_LT(lowest, -0.04L);
  EXPECT_GT(highest, 0.04L);
  EXPECT_GT(largest_verified(session, searched.candidates), 1e-2);
}

// The error over the claim, of the candidate that exceeds it most.
double most_over_claim(exec::Session& session, const Searched& searched) {
  double most = 0;
  for (const Candidate& candidate : searched.candidates) {
    const tape::Tape tape = read(session, candidate.input);
    const numeric::BigFloat exact = tape::replay(tape, 500).values[output_record(tape)];
    most = std::max(most, numeric::absolute_error(tape.outputs()[0].value, exact) /
                              std::fabs(double(tape.outputs()[1].value)));
  }
  return most;
}

TEST(BracketSearch, FindsAClaimThatAnErrorViolatesBesideARoot) {
  exec::Session session = open_math("struct r { double val, err; };\nvoid f(double x, struct r* r) { double d = "
                                    "x * 3 - 8.1; r->val = (x + 1e5) - 1e5; r->err = d * d * 1e-8; }");
  EXPECT_GT(most_over_claim(session, search_in(session, doubles(1, 0, 10), {.claims = {{0, 1}}})), 1e3);
}

// Least at 2.7, and nowhere zero: no bracket leads there, a climb does.
TEST(BracketSearch, FindsWhereAClaimIsExceededMost) {
  exec::Session session =
      open_math("struct r { double val, err; };\nvoid f(double x, struct r* r) { double d = x + 7.29 / x - 5.399999; "
                "r->val = (x + 1e5) - 1e5; r->err = d * 1e-9; }");
  EXPECT_GT(most_over_claim(session, search_in(session, doubles(1, 0.125, 1000), {.claims = {{0, 1}}})), 2e3);
}

// A wrong formula shows to a reference only: the tape knows rounding errors.
TEST(BracketSearch, ShowsSamplesFromEverywhereToAnOracleThatSeesMore) {
  exec::Session session = open_math("double f(double x) { return x * 3; }");
  EXPECT_TRUE(search_in(session, doubles(1)).candidates.empty());
  const Searched searched = search_in(session, doubles(1), {.oracle_sees_more = true});
  EXPECT_GT(searched.candidates.size(), 10u);
  EXPECT_LT(searched.candidates.size(), 200u);
}

TEST(BracketSearch, StaysShortOnOneInput) {
  exec::Session session = open_math("double f(double x) { return (x * 2 - 0.7) * 3 + 5; }");
  EXPECT_LT(search_in(session, doubles(1), {.evaluations = 1'000'000}).evaluations, 5000u);
}

} // namespace
} // namespace faultline::test
