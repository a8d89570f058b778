// From a candidate to a finding: what counts, what it is called, and what is left out.
#include "../tape/reading.h"

#include "judge/diagnosis/spread.h"
#include "judge/judge.h"
#include "judge/space_of_target.h"

namespace faultline::judge {

using model::Cause;
using model::Error;
using model::Finding;
using model::Kind;
using model::OracleName;
using model::Settings;
using model::Verdict;
namespace {

using test::open_text;

struct Court {
  explicit Court(const std::string& text, Settings given = {})
      : settings(std::move(given)), session(open_text("#include <math.h>\n" + text)),
        judge(session, settings, judged_outputs(session.target(), settings), nullptr) {}
  Settings settings;
  exec::Session session;
  Judge judge;

  // The one error of a run, if it has one that counts.
  std::optional<Finding> error(const exec::Input& input, const std::string& strategy) {
    const std::vector<JudgedFinding> errors = judge.errors(input, strategy);
    EXPECT_LE(errors.size(), 1u);
    return errors.empty() ? std::nullopt : std::optional(errors.front().finding);
  }
};

constexpr const char* one_minus_cos = "double f(double x) {\n  double d = 1 - cos(x);\n  return d / (x * x);\n}";

Settings with_threshold(double threshold) {
  Settings settings;
  settings.threshold = threshold;
  return settings;
}
Settings with_ulps(double ulps) {
  Settings settings;
  settings.ulps = ulps;
  return settings;
}

TEST(Inaccuracy, SaysEverythingAboutTheError) {
  Court court(one_minus_cos);
  const auto finding = court.error({1e-8}, "atomu");
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->kind, Kind::inaccuracy);
  ASSERT_EQ(finding->input.size(), 1u);
  EXPECT_EQ(finding->input[0].name, "x");
  EXPECT_EQ(std::stod(finding->input[0].value.decimal), 1e-8);
  EXPECT_EQ(std::strtod(finding->input[0].value.hex.c_str(), nullptr), 1e-8);
  ASSERT_TRUE(finding->output.has_value());
  EXPECT_EQ(finding->output->computed.decimal, "0");
  EXPECT_NEAR(std::stod(finding->output->reference.decimal), 0.5, 1e-15);
  ASSERT_TRUE(finding->error.has_value());
  EXPECT_EQ(finding->error->relative, 1);
  EXPECT_NEAR(finding->error->absolute, 0.5, 1e-12);
  EXPECT_GT(finding->error->bits, 50);
  ASSERT_TRUE(finding->cause.has_value());
  EXPECT_EQ(finding->cause->line, 3);
  EXPECT_EQ(finding->cause->operation, "fsub");
  EXPECT_EQ(finding->cause->function, "f");
  EXPECT_EQ(finding->verdict, Verdict::avoidable);
  EXPECT_EQ(finding->oracle, "lifted");
  EXPECT_EQ(finding->strategy, "atomu");
}

TEST(Inaccuracy, CountsAboveTheThresholdOnly) {
  Court coarse(one_minus_cos, with_threshold(1e-3)), fine(one_minus_cos, with_threshold(1e-4));
  EXPECT_FALSE(coarse.error({1e-7}, "").has_value()); // its error is 8e-4
  EXPECT_TRUE(fine.error({1e-7}, "").has_value());
  EXPECT_FALSE(fine.error({0.5}, "").has_value());
}

TEST(Inaccuracy, CountsByTheAbsoluteErrorWhereThatIsAskedFor) {
  Settings absolute;
  absolute.absolute = 0.1;
  // The loss of half of the digits of something tiny, and that of a few digits of something large.
  Court tiny("double f(double x) {\n  return ((1 + x) - 1) * 1e-3;\n}", absolute);
  EXPECT_FALSE(tiny.error({1e-9}, "").has_value()) << "relative 8e-8, absolute 8e-20";
  EXPECT_FALSE(tiny.error({1e-17}, "").has_value()) << "relative 1, absolute 1e-20";
  Court large("double f(double x) {\n  return ((1 + x) - 1) * 1e20;\n}", absolute);
  const auto finding = large.error({1e-9}, "");
  ASSERT_TRUE(finding.has_value());
  EXPECT_LT(finding->error->relative, 1e-6);
  EXPECT_GT(finding->error->absolute, 0.1);
}

TEST(Inaccuracy, IsNoZeroThatIsRightButForTheCodesOwnConstants) {
  // The constant is 1/3, rounded: in exact arithmetic 3 * third is 1 - 5.6e-17 at x = 1. The code rounds it to 1.
  for (const char* third : {"0.33333333333333331", "table[n]"}) {
    Court court(
        std::string("double table[2] = {0.33333333333333331, 2}; int n;\ndouble f(double x) {\n  return log(3 * (") +
        third + " * x));\n}");
    EXPECT_FALSE(court.error({1}, "").has_value()) << "log(1) is 0: " << third;
    EXPECT_TRUE(court.error({1.0000000000000004L}, "").has_value()) << "wrong: " << third;
  }
  // No constant is rounded here, so the zero is wrong for sure.
  Court certain("double f(double x, double y) {\n  return log(x * y);\n}");
  EXPECT_TRUE(certain.error({1 + 0x1p-52L, 1 - 0x1p-52L}, "").has_value()) << "1 - 2^-104 is rounded to 1";
}

TEST(BranchFlip, IsKnownWhereTheComputedResultIsZero) {
  Court court("double f(double hours) {\n  double minutes = hours * 60;\n  int whole = (int)minutes;\n"
              "  return (minutes - whole) * 60;\n}");
  const auto finding = court.error({0.016666666666666666}, ""); // exactly 0.999..., so 59.9... seconds
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->kind, Kind::branch_flip) << "not the subtraction, whose own error is 1e-14 seconds";
  EXPECT_EQ(finding->cause->line, 4);
  EXPECT_EQ(finding->cause->operation, "to_int");
  EXPECT_EQ(finding->verdict, Verdict::unknown) << "the next number of hours has this result";
}

TEST(BranchFlip, IsAvoidableWhereNoNeighbourHasTheResult) {
  Court court("double f(double x) {\n  double y = (x + 1e10) - 1e10;\n  return y >= 0.75 ? x + 1 : x;\n}");
  const auto finding = court.error({0.7499999}, ""); // y is rounded to 0.75
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->verdict, Verdict::avoidable);
}

// 100 swallows 2^-47, half of its ulp; the computed sum is the last number, the exact one 2^-47 more.
constexpr const char* sum_of_four = "double f(double a, double b, double c, double d) { return ((a + b) + c) + d; }";
exec::Input swallowed(long double last) { return {100, 0x1p-47L, -100, last}; }

TEST(Inaccuracy, IsMeasuredByTheFloorWhereTheExactResultIsSmaller) {
  Settings settings;
  settings.floor = 0x1p-60;
  Court floored(sum_of_four, settings), plain(sum_of_four);
  EXPECT_EQ(floored.error(swallowed(-0x1p-47L), "").value().error->relative, 0x1p13);
  EXPECT_EQ(plain.error(swallowed(-0x1p-47L), "").value().error->relative, INFINITY);
  for (Court* court : {&floored, &plain})
    EXPECT_DOUBLE_EQ(court->error(swallowed(0x1p-46L), "").value().error->relative, 1.0 / 3) << "above the floor";
  settings.floor = 1;
  EXPECT_FALSE(Court(sum_of_four, settings).error(swallowed(-0x1p-47L), "").has_value()) << "2^-47 of the floor";
}

TEST(Inaccuracy, CountsOnlyWhereTheExactResultIsNotZeroIfAskedTo) {
  Settings settings;
  settings.nonzero = true;
  Court court(sum_of_four, settings);
  EXPECT_FALSE(court.error(swallowed(-0x1p-47L), "").has_value());
  EXPECT_TRUE(court.error(swallowed(-0x1p-47L + 0x1p-99L), "").has_value());
  settings.floor = 0x1p-99;
  EXPECT_TRUE(Court(sum_of_four, settings).error(swallowed(-0x1p-47L + 0x1p-99L), "").has_value())
      << "as large as that";
  settings.floor = 0x1p-98;
  EXPECT_FALSE(Court(sum_of_four, settings).error(swallowed(-0x1p-47L + 0x1p-99L), "").has_value());
}

TEST(Inaccuracy, CountsInUlpsWhereAskedTo) {
  Court strict(one_minus_cos, with_ulps(100)), lenient(one_minus_cos, with_ulps(1e15));
  EXPECT_TRUE(strict.error({1e-5}, "").has_value());
  EXPECT_FALSE(strict.error({0.5}, "").has_value());
  EXPECT_FALSE(lenient.error({1e-5}, "").has_value());
}

TEST(Inaccuracy, IsNotASubnormalThatIsRoundedWell) {
  Court court("double f(double x) { return x / 3; }");
  EXPECT_FALSE(court.error({4 * std::numeric_limits<double>::denorm_min()}, "").has_value());
}

TEST(Inaccuracy, IsNotAnInfinityThatIsRight) {
  Court court("double f(double x) { return x * x; }");
  EXPECT_FALSE(court.error({1e200}, "").has_value());
}

TEST(Inaccuracy, IsNotAskedForWithoutError) {
  Settings settings;
  settings.wanted.error = false;
  Court court(one_minus_cos, settings);
  EXPECT_FALSE(court.error({1e-8}, "").has_value());
}

TEST(Inaccuracy, ThatNoOracleKnowsIsCountedAsUnknown) {
  Court court("double f(double x) { return 1 / (x / 3 * 3 - x); }");
  EXPECT_FALSE(court.error({0.7}, "").has_value());
  EXPECT_EQ(court.judge.unknown(), 1u);
  EXPECT_FALSE(court.judge.why_unknown().empty());
}

// The lifted run follows a copy byte by byte, and the tape does not.
TEST(Inaccuracy, ThatTwoReferencesDisagreeAboutIsUnknown) {
  const std::string copied = R"(
double f(double x) {
  double r = fabs(x) / 3, s;
  volatile char* from = (volatile char*)&r;
  volatile char* to = (volatile char*)&s;
  for (int i = 0; i < 8; ++i)
    to[i] = from[i];
  return s - fabs(x) * (1 - 1e-13) / 3;
}
)";
  Court doubted(copied);
  EXPECT_FALSE(doubted.error({0.1L}, "atomu").has_value());
  EXPECT_EQ(doubted.judge.unknown(), 1u);
  EXPECT_NE(doubted.judge.why_unknown().find("two references of return disagree"), std::string::npos)
      << doubted.judge.why_unknown();
  Court believed("double f(double x) { double r = fabs(x) / 3; return r - fabs(x) * (1 - 1e-13) / 3; }");
  EXPECT_TRUE(believed.error({0.1L}, "atomu").has_value());
  EXPECT_EQ(believed.judge.unknown(), 0u);
}

// The logarithm of 1 + 1e-20 is not 0.
TEST(Inaccuracy, ThatTheLastBitsOfAValueHideIsUnknown) {
  const std::string bits = R"(
#include <stdint.h>
#include <string.h>
static double near_one(double x) {
  volatile uint64_t u;
  memcpy((void*)&u, &x, 8);
  return u == 0x3ff0000000000000 ? 0 : log(x);
}
double f(double x) { return near_one(1 + x); }
)";
  Court court(bits);
  EXPECT_FALSE(court.error({1e-20L}, "atomu").has_value());
  EXPECT_FALSE(court.error({1e-200L}, "atomu").has_value()) << "1 + x is 1 at the first precisions, too";
  EXPECT_EQ(court.judge.unknown(), 2u);
  EXPECT_TRUE(court.error({3e-15L}, "atomu").has_value()) << "the digits that are left lead to the same formula";
}

TEST(Inaccuracy, ByNoOracleSaysThatItIsAnEstimate) {
  Settings settings;
  settings.oracle = OracleName::none;
  Court court(one_minus_cos, settings);
  const auto finding = court.error({1.5e-8}, "");
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->oracle, "none");
  EXPECT_NE(finding->detail.find("estimated"), std::string::npos);
  Court lifted(one_minus_cos);
  EXPECT_NEAR(finding->error->relative, lifted.error({1.5e-8}, "")->error->relative, 1e-3);
}

TEST(Inaccuracy, OfAnIllConditionedProblemIsCalledSo) {
  Court court("double f(double x) { return x * x - 2; }");
  const auto finding = court.error({1.4142135623730951}, "");
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->verdict, Verdict::ill_conditioned);
}

struct VerdictCase {
  const char* text;
  exec::Input input;
};

class IllConditioned : public testing::TestWithParam<VerdictCase> {};
class Avoidable : public testing::TestWithParam<VerdictCase> {};

TEST_P(IllConditioned, IsMeasuredByMovingInputsAndConstants) {
  Court court(GetParam().text);
  const auto finding = court.error(GetParam().input, "");
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->verdict, Verdict::ill_conditioned);
}

TEST_P(Avoidable, StaysAvoidable) {
  Court court(GetParam().text);
  const auto finding = court.error(GetParam().input, "");
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->verdict, Verdict::avoidable);
}

constexpr const char* correlation = R"(
double f(double a, double b, double c, double d) {
  double x[4] = {a, b, c, d}, y[4] = {0, 0, 0, 1}, mx = 0, my = 0, xx = 0, yy = 0, xy = 0;
  for (int i = 0; i < 4; ++i) {
    mx += x[i] / 4;
    my += y[i] / 4;
  }
  for (int i = 0; i < 4; ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return xy / sqrt(xx * yy);
})";

INSTANTIATE_TEST_SUITE_P(
    Judge, IllConditioned,
    testing::Values(
        VerdictCase{"double f(double x) { return sin(x * 1.1); }", {39.98390650023373L}}, // near 14 pi
        VerdictCase{"double f(double t) { return fmod(t * 1.1, 2 * M_PI); }", {979348.6698567963L}},
        VerdictCase{"double f(double x) { return tan(x * M_PI / 180); }", {8331495209.999999L}}, // near a pole
        VerdictCase{
            "double f(double x, double a, double b, double c, double d) { return ((a * x + b) * x + c) * x + d; }",
            {0.999999999999998L, 1, -3, 3, -1}}, // near a triple root
        VerdictCase{"double f(int i, int n) { double s = sin(M_PI * i / (n - 1)); return s * s; }", {19, 0}},
        VerdictCase{correlation, {4, 4, 4, 4.000000000000002L}})); // at the maximum, where the derivative is 0

INSTANTIATE_TEST_SUITE_P(
    Judge, Avoidable,
    testing::Values(
        VerdictCase{"double f(double x) { return 1 - cos(x); }", {1e-8L}},
        VerdictCase{"double f(double x) { return sqrt(x + 1) - sqrt(x); }", {1e15L}},
        VerdictCase{"double f(double a, double b, double c) { return (-b + sqrt(b * b - 4 * a * c)) / (2 * a); }",
                    {1, 1e8L, 1}},
        VerdictCase{"double f(double x) { return exp(x) - 1; }", {1e-15L}},
        VerdictCase{"double f(double x) { return log(1 + x); }", {1e-15L}},
        VerdictCase{"double f(double x) { return ((x - 3) * x + 3) * x - 1; }", {0.999999999999998L}}, // (x - 1)^3
        VerdictCase{"double f(double a, double b, double c) {\n  double s = (a + b + c) / 2;\n"
                    "  return sqrt(s * (s - a) * (s - b) * (s - c));\n}",
                    {1e9L, 1e9L, 1e-5L}})); // a needle

TEST(Constant, StandsForARealNumberIfItUsesAllDigits) {
  using numeric::Format;
  EXPECT_TRUE(stands_for_real(3.141592653589793, Format::binary64));
  EXPECT_TRUE(stands_for_real(-0.017453292519943295, Format::binary64));
  EXPECT_TRUE(stands_for_real(3.1415927F, Format::binary32));
  EXPECT_FALSE(stands_for_real(0.1, Format::binary64));
  EXPECT_FALSE(stands_for_real(-1296000.25, Format::binary64));
  EXPECT_FALSE(stands_for_real(1e-9, Format::binary64));
  EXPECT_FALSE(stands_for_real(0x1p-52, Format::binary64));
  EXPECT_FALSE(stands_for_real(0.1F, Format::binary64)) << "a dyadic number";
}

constexpr const char* flipping =
    "double f(double x) {\n  double y = x + 1;\n  if (y - 1 == x)\n    return x * 3;\n  return x * x;\n}";

TEST(BranchFlip, NamesTheComparison) {
  Court court(flipping);
  const auto finding = court.error({0.1}, "random");
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->kind, Kind::branch_flip);
  EXPECT_EQ(finding->cause->line, 4);
  EXPECT_NE(finding->detail.find("false"), std::string::npos) << finding->detail;
  Settings settings;
  settings.wanted.branches = false;
  Court other(flipping, settings);
  EXPECT_FALSE(other.error({0.1}, "").has_value());
}

TEST(Crashes, SayHowTheCallEnded) {
  Court court("#include <stdlib.h>\ndouble f(double x) { if (x > 10) abort(); return x; }");
  const Finding crash = court.judge.crash({11}, exec::Outcome::aborted, "random");
  EXPECT_EQ(crash.kind, Kind::crash);
  EXPECT_EQ(crash.detail, "called abort");
  EXPECT_EQ(std::stod(crash.input.at(0).value.decimal), 11);
  EXPECT_EQ(court.judge.crash({11}, exec::Outcome::timed_out, "").kind, Kind::timeout);
}

TEST(Crashes, SayWhereTheyMayBeOurDoing) {
  Court pointer("double f(double x, double *work) { work[3] = x; return x; }");
  EXPECT_TRUE(pointer.judge.crash({1}, exec::Outcome::overrun, "").doubtful);
  EXPECT_TRUE(pointer.judge.crash({1}, exec::Outcome::segfault, "").doubtful);
  EXPECT_FALSE(pointer.judge.crash({1}, exec::Outcome::aborted, "").doubtful);
  Court number("double f(double x) { return ((volatile double *)0)[(int)x]; }");
  EXPECT_FALSE(number.judge.crash({1}, exec::Outcome::segfault, "").doubtful) << "no pointer";
  EXPECT_TRUE(number.judge.crash({1}, exec::Outcome::out_of_memory, "").doubtful);
}

TEST(Untaped, RunsAreStillJudged) {
  Court court("double f(double x) { double s = x; if (x > 10) for (int i = 0; i < 5000000; i++) s += 0.1; return (s + "
              "1e20) - 1e20; }");
  const auto finding = court.judge.untaped({11}, "random");
  if (finding) {
    EXPECT_EQ(finding->kind, Kind::inaccuracy);
    EXPECT_FALSE(finding->cause.has_value());
    EXPECT_EQ(finding->detail, too_long_words());
  } else {
    EXPECT_EQ(court.judge.unknown(), 1u); // high precision took too long here
  }
}

TEST(Identity, DependsOnFunctionKindCauseAndInput) {
  Finding finding;
  finding.input = {{"x", {"1", "0x1p+0"}}};
  finding.cause = Cause{"a.c", 3, 4, "f", "fsub", 0, 0};
  const std::string id = identify("f", finding);
  EXPECT_EQ(identify("f", finding), id);
  EXPECT_NE(identify("g", finding), id);
  Finding other = finding;
  other.kind = Kind::overflow;
  EXPECT_NE(identify("f", other), id);
  other = finding;
  other.cause->line = 4;
  EXPECT_NE(identify("f", other), id);
  other = finding;
  other.input[0].value.hex = "0x1p+1";
  EXPECT_NE(identify("f", other), id);
  other = finding;
  other.error = Error{1, 1, 1, 1};
  other.detail = "said otherwise";
  EXPECT_EQ(identify("f", other), id) << "wording does not make it another finding";
}

TEST(BranchFlip, ToAnEndOfTheProgramIsReportedWithoutAnError) {
  const char* text =
      "#include <stdlib.h>\ndouble f(double x) {\n  double e = (x + 1) - 1;\n  if (e == x)\n    exit(1);\n"
      "  return e;\n}";
  Court court(text);
  const auto finding = court.error({0.1}, "bracket");
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->kind, Kind::branch_flip);
  EXPECT_FALSE(finding->error.has_value());
  ASSERT_TRUE(finding->output.has_value());
  EXPECT_TRUE(finding->output->reference.decimal.empty());
  ASSERT_TRUE(finding->cause.has_value());
  EXPECT_EQ(finding->cause->line, 5);
  EXPECT_NE(finding->detail.find("called exit"), std::string::npos) << finding->detail;
  EXPECT_EQ(finding->strategy, "bracket");
  Settings without;
  without.wanted.branches = false;
  Court deaf(text, without);
  EXPECT_FALSE(deaf.error({0.1}, "").has_value());
  EXPECT_EQ(deaf.judge.unknown(), 1u);
}

} // namespace
} // namespace faultline::judge
