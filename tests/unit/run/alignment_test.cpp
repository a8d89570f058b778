// Where two streams of values part.
#include "run/alignment.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::run {
namespace {

using model::RunVerdict;

ValueSite site(int line, const std::string& operation = "sum", const std::string& form = "addition") {
  ValueSite site;
  site.file = "app.c";
  site.line = line;
  site.column = 7;
  site.operation = operation;
  site.form = form;
  site.is_decision = operation == "comparison";
  return site;
}

SiteTable table(std::vector<ValueSite> values) {
  SiteTable table;
  table.values = std::move(values);
  return table;
}

constexpr double ulp = 0x1p-52;

Event value(uint32_t place, double value, double residue = 0) { return {place, 0, 0, value, residue}; }
Event decision(double gap, double residue, bool outcome) { return {0, 0, outcome, gap, residue}; }
Event printed(double number, double residue = 0) { return {printed_event, 0, 0, number, residue}; }

model::RunComparison compared(Alignment& alignment, const std::vector<Event>& first, const std::vector<Event>& second) {
  for (const Event& event : first)
    alignment.add(0, event, false);
  for (const Event& event : second)
    alignment.add(1, event, false);
  return alignment.finish();
}

TEST(Relation, RoundingExplainsWhatItsResiduesAccountFor) {
  EXPECT_EQ(relation(1, 0.3 * ulp, 1, 0, false), Relation::equal);
  EXPECT_EQ(relation(1, 0.4 * ulp, 1 + ulp, -0.6 * ulp, false), Relation::rounding);
  EXPECT_EQ(relation(1, 0.4 * ulp, 1 + 4 * ulp, -0.6 * ulp, false), Relation::more);
  EXPECT_EQ(relation(1, 0, 1 + ulp, 0, false), Relation::more); // both claim to be exact
  EXPECT_EQ(relation(1, NAN, 2, 0, false), Relation::unknown);
  EXPECT_EQ(relation(NAN, NAN, NAN, NAN, false), Relation::equal);
  EXPECT_EQ(relation(1, 0, INFINITY, 0, false), Relation::more);
  EXPECT_EQ(relation(0.1, 0, 0.1f, 0, false), Relation::more);
  EXPECT_EQ(relation(0.1, 0, 0.1f, 0, true), Relation::rounding); // a constant in the precision of the build
}

TEST(Alignment, AValueThatOneRunComputesAgainIsLeftOut) {
  const SiteTable one = table({site(3), site(4)});
  Alignment alignment(one, one);
  // 2 * h inside and outside of a loop.
  const auto result =
      compared(alignment, {value(0, 2), value(1, 5), value(0, 2), value(1, 6), value(0, 3), value(1, 9), printed(9)},
               {value(0, 2), value(1, 5), value(1, 6), value(0, 3), value(1, 9), printed(9)});
  EXPECT_EQ(result.verdict, RunVerdict::same);
  EXPECT_EQ(result.unmatched, 0u);
  EXPECT_FALSE(result.hidden);
}

TEST(Alignment, TheFirstUnexplainedValueByTimeIsNamedNotTheFirstRounding) {
  const SiteTable one = table({site(3), site(4), site(5)});
  Alignment alignment(one, one);
  const auto result = compared(alignment, {value(0, 1, ulp / 2), value(2, 7), value(1, 3), printed(3)},
                               {value(0, 1 + ulp, -ulp / 2), value(2, 8), value(1, 4), printed(4)});
  EXPECT_EQ(result.verdict, RunVerdict::different);
  ASSERT_TRUE(result.first);
  EXPECT_EQ(result.first->place[0].line, 5);
  ASSERT_TRUE(result.before);
  EXPECT_EQ(result.before->place[0].line, 3);
}

TEST(Alignment, ADecisionThatRoundingTurnsExplainsWhatFollows) {
  const SiteTable one = table({site(3, "comparison", "comparison"), site(4)});
  Alignment alignment(one, one);
  const auto result = compared(alignment, {decision(-ulp, ulp, true), value(1, 7), printed(7)},
                               {decision(0, 0, false), value(1, 8), printed(8)});
  EXPECT_EQ(result.verdict, RunVerdict::turned);
  EXPECT_EQ(result.first->place[0].line, 3);
}

TEST(Alignment, ADecisionOnOtherNumbersIsAnotherProgram) {
  const SiteTable one = table({site(3, "comparison", "comparison")});
  Alignment alignment(one, one);
  const auto result =
      compared(alignment, {decision(-0.5, 0, true), printed(1)}, {decision(0.25, 0, false), printed(2)});
  EXPECT_EQ(result.verdict, RunVerdict::different);
}

TEST(Alignment, FusedOperationsAndOtherFormatsAreNamedAsReasons) {
  const SiteTable plain = table({site(3)}), fused = table({site(3, "sum", "fused multiplication and addition")});
  const std::vector<Event> first = {value(0, 1, ulp / 2), printed(1, ulp / 2)};
  const std::vector<Event> second = {value(0, 1 + ulp, -ulp / 2), printed(1 + ulp, -ulp / 2)};
  Alignment alignment(plain, fused);
  EXPECT_EQ(compared(alignment, first, second).reason, "fused multiplication and addition in one build");
  SiteTable narrow = plain;
  narrow.values[0].is_binary32 = true;
  Alignment formats(plain, narrow);
  EXPECT_EQ(compared(formats, first, second).reason, "float in one build, double in the other");
}

TEST(Alignment, PartialSumsOfAnotherOrderAreNoDifference) {
  SiteTable one = table({site(3), site(4)});
  one.values[0].reassociates = true;
  Alignment alignment(one, one);
  const auto result =
      compared(alignment, {value(0, 1), value(0, 3), value(0, 6), value(1, 2, ulp), printed(2, ulp)},
               {value(0, 2), value(0, 4), value(0, 6), value(1, 2 - 2 * ulp, 3 * ulp), printed(2 - 2 * ulp, 3 * ulp)});
  EXPECT_EQ(result.verdict, RunVerdict::rounding);
  EXPECT_EQ(result.reason, "reassociation");
  EXPECT_EQ(result.reason_place.line, 3);
}

TEST(Alignment, OneMoreExecutionIsNamed) {
  const SiteTable one = table({site(3)});
  Alignment alignment(one, one);
  const auto result =
      compared(alignment, {value(0, 1), value(0, 2), printed(2)}, {value(0, 1), value(0, 2), value(0, 3), printed(3)});
  EXPECT_EQ(result.verdict, RunVerdict::different);
  EXPECT_EQ(result.first->execution[0], 0u);
  EXPECT_EQ(result.first->execution[1], 3u);
}

TEST(Alignment, APlaceWhereOneRunIsFarAheadIsGivenUp) {
  const SiteTable one = table({site(3)});
  Alignment alignment(one, one);
  for (int i = 0; i < 100'000; ++i)
    alignment.add(0, value(0, i), false);
  const auto result = compared(alignment, {printed(1)}, {printed(1)});
  EXPECT_EQ(result.unmatched, 1u);
  EXPECT_EQ(result.verdict, RunVerdict::same);
}

TEST(FileNames, PathsOfTwoFoldersBelongTogether) {
  ValueSite a = site(1), b = site(1), c = site(1);
  a.file = "one/src/app.c";
  b.file = "one/lib/half.c";
  c.file = "one/lib/app.c";
  SiteTable first = table({a, b, c}), second = first;
  for (ValueSite& site : second.values)
    site.file = "two" + site.file.substr(3);
  const auto names = file_names(first, second);
  EXPECT_EQ(names.at("two/src/app.c"), "one/src/app.c");
  EXPECT_EQ(names.at("two/lib/half.c"), "one/lib/half.c");
  EXPECT_EQ(names.at("two/lib/app.c"), "one/lib/app.c");
}

TEST(LineMap, AddedLinesMoveTheOthersAndRewrittenOnesBelongTogether) {
  const LineMap map = line_map("a\nb\nc\nd\n", "a\nnew\nlines\nb\nC\nd\n");
  EXPECT_EQ(map.first_of, (std::map<int, int>{{1, 1}, {4, 2}, {5, 3}, {6, 4}}));
  EXPECT_EQ(map.rewritten, (std::map<int, int>{{5, 3}}));
  EXPECT_EQ(map.changed[0], std::vector<int>{3});
  EXPECT_EQ(map.changed[1], (std::vector<int>{2, 3, 5}));
}

} // namespace
} // namespace faultline::run
