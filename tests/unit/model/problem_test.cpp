// What people read: one problem a cause, by what matters, through the most ordinary input.
#include "made_findings.h"

#include <gtest/gtest.h>

namespace faultline::model {
namespace {

Report report_of(std::vector<std::vector<Finding>> targets) {
  Report report;
  for (std::vector<Finding>& findings : targets) {
    TargetReport target;
    target.function = fmt::format("f{}", report.targets.size());
    target.file = "a.c";
    target.findings = std::move(findings);
    report.targets.push_back(std::move(target));
  }
  return report;
}

TEST(Problems, GatherFunctionsInputsAndKindsOfOnePlace) {
  Finding overflow = exception(Kind::overflow, 7), nan = exception(Kind::invalid, 9);
  nan.aftermath->consequence = true;
  nan.aftermath->origin = Origin{*overflow.cause, Kind::overflow};
  Finding lost = wrong(7, 3, 1);
  lost.diagnosis->fault = Fault::intermediate_overflow;
  const Report report = report_of({{wrong(3, 1, 0.5), overflow}, {wrong(3, 2, 0.7), nan, lost}});
  const std::vector<Problem> problems = problems_of(report);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].fault, "overflow");
  EXPECT_EQ(problems[0].line, 7);
  EXPECT_EQ(problems[0].findings.size(), 3u);
  EXPECT_EQ(problems[0].representative().id, lost.id) << "an error tells more than an exception";
  EXPECT_EQ(problems[0].functions, (std::vector<std::string>{"f1", "f0"})) << "each once";
  EXPECT_EQ(problems[1].fault, "cancellation");
  EXPECT_EQ(problems[1].functions, (std::vector<std::string>{"f0", "f1"}));
}

TEST(Problems, OtherClassesAndOtherLinesStayApart) {
  Finding absorbed = wrong(3, 1, 1);
  absorbed.diagnosis->fault = Fault::absorption;
  EXPECT_EQ(problems_of(report_of({{wrong(3, 1, 1), wrong(4, 1, 1), absorbed}})).size(), 3u);
}

TEST(Problems, WithOneRootAreOne) {
  Finding slope = wrong(3, 1, 1), intercept = wrong(4, 1, 0.5), other = wrong(5, 1, 0.5),
          nan = exception(Kind::invalid, 6);
  slope.roots = {"a.c:3:4", "a.c:1:9"};
  intercept.roots = {"a.c:4:4", "a.c:1:9", "a.c:2:9"};
  other.roots = {"a.c:5:4"};
  nan.roots = {"a.c:6:4", "a.c:5:4"};
  EXPECT_EQ(problems_of(report_of({{other, nan}})).size(), 2u) << "exact arithmetic has no result either";
  nan.output = Output{.name = "return", .computed = {"nan", "nan"}, .reference = {"1", "0x1p+0"}};
  const Report report = report_of({{slope, intercept, other, nan}});
  const std::vector<Problem> problems = problems_of(report);
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[0].line, 6) << "more inputs show it, as far as is known";
  EXPECT_EQ(problems[0].other_lines, std::vector<int>{5}) << "the NaN is what rounding made of the sum";
  EXPECT_EQ(problems[1].line, 3);
  EXPECT_EQ(problems[1].other_lines, std::vector<int>{4});
  EXPECT_EQ(problems[1].findings.size(), 2u);
  EXPECT_EQ(problems[1].worst.finding->error->relative, 1);
}

TEST(Problems, WithOneRootStayApartInOtherFunctionsAndAsNotes) {
  Finding here = wrong(3, 1, 1), there = wrong(4, 1, 1), note = wrong(5, 1, 1, true, Verdict::ill_conditioned);
  here.roots = there.roots = note.roots = {"a.c:1:9"};
  EXPECT_EQ(problems_of(report_of({{here, note}, {there}})).size(), 3u);
}

TEST(Problems, AnErrorWithoutAClassJoinsTheOneOfItsLine) {
  Finding plain = wrong(3, 5, 1);
  plain.diagnosis.reset();
  Finding claimed = wrong(3, 6, 1);
  claimed.kind = Kind::bound_violated;
  const Report report = report_of({{wrong(3, 1, 1), plain, claimed}});
  const std::vector<Problem> problems = problems_of(report);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].fault, "cancellation");
}

TEST(Problems, AnErrorWithoutAClassStaysApartWhereItIsNotClearWhichItIs) {
  Finding plain = wrong(3, 5, 1), absorbed = wrong(3, 1, 1), elsewhere = wrong(3, 1, 1);
  plain.diagnosis.reset();
  absorbed.diagnosis->fault = Fault::absorption;
  elsewhere.cause->file = "b.c";
  EXPECT_EQ(problems_of(report_of({{plain}, {wrong(3, 1, 1), absorbed}})).size(), 3u) << "two classes";
  EXPECT_EQ(problems_of(report_of({{plain, exception(Kind::overflow, 3)}})).size(), 2u) << "no error";
  EXPECT_EQ(problems_of(report_of({{plain, wrong(4, 1, 1)}})).size(), 2u) << "another line";
  EXPECT_EQ(problems_of(report_of({{plain, elsewhere}})).size(), 2u) << "another file";
}

TEST(Problems, AnErrorWithoutAClassBelongsToWhatTheSameInputShows) {
  Finding plain = wrong(3, 5, 1), cancelled = wrong(3, 1, 1), absorbed = wrong(3, 5, 1);
  plain.diagnosis.reset();
  plain.values = absorbed.values = {5};
  cancelled.values = {1};
  absorbed.diagnosis->fault = Fault::absorption;
  const Report report = report_of({{plain, cancelled, absorbed}}), other = report_of({{plain, cancelled}, {absorbed}});
  for (const Report* each : {&report, &other}) {
    const std::vector<Problem> problems = problems_of(*each);
    ASSERT_EQ(problems.size(), 2u);
    for (const Problem& problem : problems)
      EXPECT_EQ(problem.findings.size(), (problem.fault == "absorption") == (each == &report) ? 2u : 1u);
  }
}

TEST(Problems, ThatManyInputsShowComeFirst) {
  Finding rare = wrong(1, 1, 1), frequent = wrong(2, 123456, 1), unknown = wrong(3, 1e5, 1);
  rare.share = Share{false, 1e-4, 1e-2};
  frequent.share = Share{false, 0.01, 0.02};
  const Report report = report_of({{rare, frequent, unknown}});
  const std::vector<Problem> problems = problems_of(report);
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_EQ(problems[0].line, 2);
  EXPECT_EQ(problems[1].line, 1) << "more ordinary";
}

TEST(Problems, OfAFunctionWithoutAPlaceJoinThoseOfThatFunctionOnly) {
  Finding plain = wrong(3, 5, 1), clear = wrong(3, 1, 1);
  plain.cause.reset();
  plain.diagnosis.reset();
  clear.cause.reset();
  clear.detail = "too long to explain";
  EXPECT_EQ(problems_of(report_of({{plain, clear}})).size(), 1u);
  EXPECT_EQ(problems_of(report_of({{plain}, {clear}})).size(), 2u);
}

TEST(Problems, OfAFaultOnTheWayAreThoseOfItsException) {
  Finding lost = wrong(7, 3, 1);
  lost.diagnosis->fault = Fault::intermediate_underflow;
  const Report report = report_of({{lost, exception(Kind::underflow, 7)}});
  const std::vector<Problem> problems = problems_of(report);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].fault, "underflow");
}

TEST(Problems, AreKnownByTheirClassAndPlaceWhateverTheFolder) {
  Finding absorbed = wrong(3, 1, 1), moved = wrong(3, 1, 1);
  absorbed.diagnosis->fault = Fault::absorption;
  moved.cause->file = "elsewhere/a.c";
  const Report here = report_of({{wrong(3, 1, 1)}}), other = report_of({{absorbed}}), there = report_of({{moved}}),
               below = report_of({{wrong(4, 1, 1)}});
  EXPECT_EQ(problems_of(here)[0].id, problems_of(there)[0].id);
  EXPECT_NE(problems_of(here)[0].id, problems_of(other)[0].id);
  EXPECT_NE(problems_of(here)[0].id, problems_of(below)[0].id);
}

TEST(Problems, AreSortedByTierThenSizeAndAllErrorsOfOneAndMoreAreAlike) {
  const Report report = report_of({{wrong(9, 1, 0.1), wrong(8, 1, 5e200), wrong(7, 1, 1), wrong(6, 1e200, 1e300, false),
                                    wrong(5, 1, 1, true, Verdict::ill_conditioned)}});
  std::vector<int> lines;
  for (const Problem& problem : problems_of(report))
    lines.push_back(problem.line);
  EXPECT_EQ(lines, (std::vector<int>{7, 8, 9, 6, 5}));
}

TEST(Problems, ThatAreSetAsideComeLastAndUnusualOnesAfterEverydayOnesOfTheirTier) {
  Finding known = wrong(3, 1, 1);
  known.novelty = Novelty::known;
  const Report report =
      report_of({{known, wrong(4, 1e200, 1, false), wrong(5, 1, 0.1, true, Verdict::unknown)}}); // both warnings
  std::vector<int> lines;
  for (const Problem& problem : problems_of(report))
    lines.push_back(problem.line);
  EXPECT_EQ(lines, (std::vector<int>{5, 4, 3}));
}

TEST(Problems, SpeakThroughTheMostOrdinaryInputOfTheHighestTier) {
  const Report report = report_of({{wrong(3, 1.2345e200, 1e90, false), wrong(3, 0.123456789, 1), wrong(3, 1000, 0.5),
                                    wrong(3, 1, 1, true, Verdict::ill_conditioned)}});
  const std::vector<Problem> problems = problems_of(report);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].tier, Tier::error);
  EXPECT_EQ(problems[0].representative().input[0].value.decimal, "1000");
  ASSERT_TRUE(problems[0].worst.finding);
  EXPECT_EQ(problems[0].worst.finding->error->relative, 1e90);
}

TEST(Problems, SpeakThroughTheFunctionThatHasThemAndThroughWhatCameFirst) {
  Finding own = wrong(3, 0.123456789, 1), called = wrong(3, 2, 1);
  own.cause->function = called.cause->function = "f1";
  const Report functions = report_of({{called}, {own}});
  EXPECT_EQ(problems_of(functions)[0].representative().id, own.id);
  Finding overflow = exception(Kind::overflow, 7), nan = exception(Kind::invalid, 9);
  nan.aftermath->origin = Origin{*overflow.cause, Kind::overflow};
  nan.input[0].value = {"1", "0x1p+0"};
  const Report kinds = report_of({{nan, overflow}});
  ASSERT_EQ(problems_of(kinds).size(), 1u);
  EXPECT_EQ(problems_of(kinds)[0].representative().id, overflow.id);
  const Report sizes = report_of({{wrong(3, 2, 0.5), wrong(3, 3, 0.7)}});
  EXPECT_EQ(problems_of(sizes)[0].representative().error->relative, 0.7) << "of inputs that are as ordinary";
}

TEST(Problems, WithoutAPlaceAreThoseOfTheirFunctions) {
  Finding crash;
  crash.kind = Kind::crash;
  crash.detail = "called abort";
  Finding other = crash;
  other.detail = "invalid memory access";
  EXPECT_EQ(problems_of(report_of({{crash, other}, {crash}})).size(), 3u);
}

TEST(Problems, LeaveOutWhatIsRightUnlessAllIsAskedFor) {
  Finding right = exception(Kind::overflow, 3);
  right.aftermath->result = Result::right;
  Report report = report_of({{right}});
  EXPECT_TRUE(problems_of(report).empty());
  report.targets[0].shows_all = true;
  EXPECT_EQ(problems_of(report).size(), 1u);
}

TEST(Problems, AreSetAsideWhenAllTheirFindingsAre) {
  Finding known = wrong(3, 1, 1), fresh = wrong(3, 123.456, 0.01);
  known.novelty = Novelty::known;
  EXPECT_TRUE(problems_of(report_of({{known}}))[0].set_aside);
  const Report report = report_of({{known, fresh}});
  const std::vector<Problem> problems = problems_of(report);
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_FALSE(problems[0].set_aside);
  EXPECT_EQ(problems[0].representative().id, fresh.id);
}

TEST(ExitStatus, IsByTheTierThatIsAskedFor) {
  Report report = report_of({{wrong(3, 1e200, 1, false)}}); // a warning
  report.targets[0].outcome = TargetOutcome::found;
  EXPECT_EQ(exit_status(report), 0) << "errors alone fail by default";
  report.fail_on = Tier::warning;
  EXPECT_EQ(exit_status(report), 1);
  Finding right = exception(Kind::overflow, 3);
  right.aftermath->result = Result::right;
  Report shown = report_of({{right}});
  shown.targets[0].outcome = TargetOutcome::found;
  shown.targets[0].shows_all = true;
  shown.fail_on = Tier::note;
  EXPECT_EQ(exit_status(shown), 0) << "what is right is no note, though it is shown";
}

TEST(Ordinariness, PrefersEverydayFewNumbersAndFewDigits) {
  auto of = [](std::vector<std::string> decimals, bool everyday = true) {
    std::vector<NamedNumber> input;
    for (const std::string& decimal : decimals)
      input.push_back({"x", {decimal, ""}});
    return ordinariness(input, everyday);
  };
  EXPECT_LT(of({"1.2345678", "9"}), of({"1", "1"}, false));
  EXPECT_LT(of({"1", "0", "123"}), of({"2", "2", "1"}));
  EXPECT_LT(of({"20", "30"}), of({"2", "300"})) << "of one magnitude";
  EXPECT_LT(of({"1e+09"}), of({"1.1"}));
  EXPECT_LT(of({"3"}), of({"-3"}));
}

} // namespace
} // namespace faultline::model
