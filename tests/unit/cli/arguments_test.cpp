#include "cli/arguments.h"

#include "frontend/error.h"

#include <gtest/gtest.h>

namespace faultline::cli {
namespace {

using Words = std::vector<std::string>;

bool always(const std::string&) { return true; }
bool never(const std::string&) { return false; }

TEST(Overriding, TheHigherOneWinsWhereItSaysSomething) {
  Arguments lower, higher;
  lower.strategy = "random";
  lower.seed = "3";
  higher.strategy = "bracket";
  const Arguments both = overridden(lower, higher, always);
  EXPECT_EQ(both.strategy, "bracket");
  EXPECT_EQ(both.seed, "3");
}

TEST(Overriding, TwoWaysToSayOneThingDoNotMix) {
  Arguments lower, higher;
  lower.threshold = "1e-6";
  lower.evaluations = "100";
  lower.reference = "exact.c:f";
  higher.ulps = "4";
  higher.budget = "1s";
  higher.oracle = "lifted";
  const Arguments both = overridden(lower, higher, always);
  EXPECT_EQ(both.threshold + "|" + both.ulps, "|4");
  EXPECT_EQ(both.evaluations + "|" + both.budget, "|1s");
  EXPECT_EQ(both.reference + "|" + both.oracle, "|lifted");
}

TEST(Overriding, NamesAreReplacedOneByOne) {
  Arguments lower, higher;
  lower.ranges = {"x=0:1", "y=0:2", "A[3]=0:3"};
  higher.ranges = {"x=5:6", "A=7:8"};
  EXPECT_EQ(overridden(lower, higher, always).ranges, (Words{"y=0:2", "x=5:6", "A=7:8"}));
  lower.ranges = {"A=0:1"};
  higher.ranges = {"A[3]=2:3"};
  EXPECT_EQ(overridden(lower, higher, always).ranges, (Words{"A=0:1", "A[3]=2:3"})) << "an element is an exception";
  lower.ranges = {"xy=0:1"};
  higher.ranges = {"x=2:3"};
  EXPECT_EQ(overridden(lower, higher, always).ranges.size(), 2u) << "xy is not x";
}

TEST(Overriding, OneForAllReplacesThoseOfFloatsOnly) {
  Arguments lower, higher;
  lower.ranges = {"x=0:1", "n=0:9", "5:6"};
  higher.ranges = {"-1:1"};
  const auto is_float = [](const std::string& name) { return name == "x"; };
  EXPECT_EQ(overridden(lower, higher, is_float).ranges, (Words{"n=0:9", "-1:1"}));
  lower.sizes = {"A=4"};
  higher.sizes = {"8"};
  EXPECT_EQ(overridden(lower, higher, never).sizes, Words{"8"}) << "a size is one of any array";
}

TEST(Overriding, ListsAreReplacedAsAWhole) {
  Arguments lower, higher;
  lower.outputs = {"a", "b"};
  higher.outputs = {"c"};
  EXPECT_EQ(overridden(lower, higher, always).outputs, Words{"c"});
  EXPECT_EQ(overridden(lower, {}, always).outputs, (Words{"a", "b"}));
}

TEST(Settings, ComeBackFromTheWordsThatAReportRecords) {
  Arguments arguments;
  int number = 0;
  for (const Setting& setting : settings()) { // all there are, so that none is forgotten
    if (!setting.recorded)
      continue;
    if (setting.form == Form::flag)
      arguments.*setting.text = "true";
    else if (setting.text)
      arguments.*setting.text = "value " + std::to_string(++number);
    else
      arguments.*setting.texts = {"x=" + std::to_string(++number), "--y"};
  }
  const Arguments again = arguments_of(words_of(arguments));
  for (const Setting& setting : settings()) {
    if (setting.text)
      EXPECT_EQ(again.*setting.text, arguments.*setting.text) << setting.name;
    else
      EXPECT_EQ(again.*setting.texts, arguments.*setting.texts) << setting.name;
  }
}

TEST(Settings, FromAReportThatWasTamperedWithAreRefused) {
  for (const Words& words : {Words{"--range"}, Words{"range", "x=0:1"}, Words{"--jobs", "4"}, Words{""},
                             Words{"--skip"}, Words{"--threshold", "1", "2"}})
    EXPECT_THROW(arguments_of(words), frontend::UserError) << words.front();
}

} // namespace
} // namespace faultline::cli
