// Sampling: an execution that is not sampled is not checked, one too many costs a question to the solvers each time.
#include "search/checks.h"

#include "searching.h"

namespace faultline::test {
namespace {

using search::checked_additions;
using search::CheckedLine;
using search::Checks;
using search::CheckSampling;
using search::sampled;
using search::stands_at;
using Numbers = std::vector<uint64_t>;

TEST(Checks, UniformSamplingHasAStartAndAStep) {
  EXPECT_EQ(sampled(CheckSampling::uniform, 1, 1, 4), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(sampled(CheckSampling::uniform, 2, 2, 4), (Numbers{2, 4}));
  EXPECT_EQ(sampled(CheckSampling::uniform, 1, 3, 16), (Numbers{1, 4, 7, 10, 13, 16}));
  EXPECT_EQ(sampled(CheckSampling::uniform, 5, 1, 4), Numbers{});
  EXPECT_EQ(sampled(CheckSampling::uniform, 4, ~uint64_t(0), 4), Numbers{4});
}

TEST(Checks, LogarithmicSamplingTakesTenTimesTheStepWithEachOrderOfMagnitude) {
  EXPECT_EQ(sampled(CheckSampling::logarithmic, 1, 1, 300),
            (Numbers{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 200, 300}));
  EXPECT_EQ(sampled(CheckSampling::logarithmic, 1, 4, 60), (Numbers{1, 5, 9, 13, 53}));
  EXPECT_EQ(sampled(CheckSampling::logarithmic, 5, 20, 300), (Numbers{5, 25, 45, 65, 265}));
  EXPECT_EQ(sampled(CheckSampling::logarithmic, ~uint64_t(0) - 1, 1, ~uint64_t(0)).size(), 2u);
}

TEST(Checks, OtherFormatsHaveTheirShareOfTheBitsUnlessTold) {
  using numeric::Format;
  Checks checks;
  EXPECT_EQ(checks.bits(goal::Check::precision_loss, Format::binary64), 32);
  EXPECT_EQ(checks.bits(goal::Check::cancellation, Format::binary64), 40);
  EXPECT_EQ(checks.bits(goal::Check::precision_loss, Format::binary32), 14);
  EXPECT_EQ(checks.bits(goal::Check::cancellation, Format::binary32), 18);
  checks.cancellation_bits = 20;
  EXPECT_EQ(checks.bits(goal::Check::cancellation, Format::binary32), 20);
  EXPECT_EQ(checks.bits(goal::Check::precision_loss, Format::binary32), 14);
}

const char* const two_loops = "double f(const double x[200]) {\n" // with the includes before it, line 3
                              "  double s = 0, p = 1;\n"          //
                              "  for (int i = 0; i < 200; i++)\n" //
                              "    s += x[i];\n"                  // 6
                              "  for (int i = 0; i < 10; i++)\n"  //
                              "    p = p * 0.5 + x[i];\n"         // 8
                              "  return s * (p - 1);\n}";         // 9

struct TwoLoops {
  exec::Session session = open_math(two_loops, {{"x", {200}}});
  tape::Tape tape = read(session, exec::Input(200, 1.5L));

  size_t in_line(const std::vector<tape::Addition>& additions, int line) const {
    return size_t(std::ranges::count_if(
        additions, [&](const tape::Addition& addition) { return tape.site(addition.record).line == line; }));
  }
};

TEST(Checks, WhereNobodySaysHowManyAbout64AreLeftAndEveryPlaceHasSome) {
  const TwoLoops loops;
  const auto found = checked_additions({}, loops.tape);
  EXPECT_LE(found.size(), 64u);
  EXPECT_GE(found.size(), 32u);
  EXPECT_GT(loops.in_line(found, 8), 0u);
  EXPECT_EQ(loops.in_line(found, 9), 0u);
}

TEST(Checks, AStepThatWasGivenIsTaken) {
  const TwoLoops loops;
  Checks checks;
  checks.step = 1;
  EXPECT_EQ(checked_additions(checks, loops.tape).size(), 210u);
  checks.step = 2;
  checks.start = 2;
  EXPECT_EQ(loops.in_line(checked_additions(checks, loops.tape), 6), 100u);
}

TEST(Checks, LinesChosenByHandAreCheckedAndNoOthers) {
  const TwoLoops loops;
  Checks checks;
  checks.lines = {{"subject.c", 9}};
  const auto found = checked_additions(checks, loops.tape);
  EXPECT_EQ(found.size(), 1u);
  EXPECT_EQ(loops.in_line(found, 9), 1u);
  EXPECT_EQ(without_addition(checks, loops.session.sites()), nullptr);
  checks.lines.push_back({"subject.c", 5});
  EXPECT_EQ(without_addition(checks, loops.session.sites()), &checks.lines[1]);
}

TEST(Checks, AFileIsNamedByTheLastPartsOfItsPath) {
  runtime::Site site;
  site.file = "/home/me/src/sum.c";
  site.line = 12;
  EXPECT_TRUE(stands_at(site, CheckedLine{"sum.c", 12}));
  EXPECT_TRUE(stands_at(site, CheckedLine{"src/sum.c", 12}));
  EXPECT_TRUE(stands_at(site, CheckedLine{"/home/me/src/sum.c", 12}));
  EXPECT_FALSE(stands_at(site, CheckedLine{"um.c", 12}));
  EXPECT_FALSE(stands_at(site, CheckedLine{"sum.c", 13}));
  site.file = "sum.c";
  EXPECT_TRUE(stands_at(site, CheckedLine{"src/sum.c", 12}));
}

TEST(Checks, StraightLineCodeWithVeryManyAdditionsIsThinned) {
  std::string text = "double f(double x) {\n  double a = x;\n";
  for (int i = 0; i < 100; ++i)
    text += fmt::format("  a = sin(a) + {};\n", i);
  exec::Session session = open_math(text + "  return a;\n}");
  const tape::Tape tape = read(session, {0.5L});
  const auto found = checked_additions({}, tape);
  EXPECT_EQ(found.size(), 64u);
  EXPECT_EQ(found.back().record, tape::additions(tape).back().record);
}

} // namespace
} // namespace faultline::test
