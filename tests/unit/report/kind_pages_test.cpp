#include "report/kind_pages.h"

#include "base/error.h"
#include "model/set_aside.h"
#include "report/sarif.h"

#include <gtest/gtest.h>

namespace faultline::report {
namespace {

TEST(KindPages, EveryRuleHasAPageAndEveryPageARule) { EXPECT_EQ(kind_names(), model::ignorable_names()); }

TEST(KindPages, SayWhatItIsHowItIsRepairedAndWhenItCanBeIgnored) {
  for (const std::string& name : kind_names()) {
    const std::string& page = kind_page(name);
    const PageSummary summary = summary_of(page);
    EXPECT_FALSE(summary.title.empty()) << name;
    EXPECT_TRUE(summary.sentence.ends_with('.')) << name << ": " << summary.sentence;
    EXPECT_LT(summary.sentence.size(), 300u) << name;
    EXPECT_GT(summary.paragraph.size(), summary.sentence.size()) << name;
    for (const char* section : {"\n## Example\n", "\n## How Faultline shows it\n", "\n## How it is repaired\n",
                                "\n## When it can be ignored\n"})
      EXPECT_NE(page.find(section), std::string::npos) << name << section;
    EXPECT_TRUE(page.ends_with('\n') && !page.ends_with("\n\n")) << name;
  }
}

TEST(KindPages, AnUnknownNameGetsTheNearest) {
  try {
    kind_page("cancelation");
    FAIL();
  } catch (const base::UserError& error) {
    EXPECT_EQ(error.status, base::status_usage);
    EXPECT_TRUE(error.hint.starts_with("cancellation\n")) << error.hint;
    EXPECT_NE(error.hint.find("absorption, accumulated-rounding"), std::string::npos);
  }
}

TEST(KindPages, AreTheHelpOfSarifRules) {
  const auto rule = sarif_rule("intermediate-overflow");
  EXPECT_EQ(rule["name"], "IntermediateOverflow");
  EXPECT_EQ(rule["help"]["markdown"], kind_page("intermediate-overflow"));
  EXPECT_EQ(rule["shortDescription"]["text"], summary_of(kind_page("intermediate-overflow")).sentence);
  EXPECT_EQ(rule["defaultConfiguration"]["level"], "error");
  EXPECT_EQ(sarif_rule("underflow")["properties"]["problem.severity"], "recommendation");
}

} // namespace
} // namespace faultline::report
