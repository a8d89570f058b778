// What a user reads of a campaign.
#include "report/campaign/status_text.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace faultline::report {
namespace {

using finding::CampaignStatus;

CampaignStatus status() {
  CampaignStatus status;
  status.folder = "night";
  status.functions = 10;
  status.looked_at = 10;
  status.errors = 30;
  status.warnings = 10;
  return status;
}

TEST(CampaignStatus, MoreTimePaysWhileFunctionsHaveNotBeenLookedAt) {
  CampaignStatus early = status();
  early.looked_at = 9;
  EXPECT_NE(outlook_text(early).find("will pay: 1 function has not been looked at"), std::string::npos);
}

TEST(CampaignStatus, ItSaysWhenFurtherTimeIsUnlikelyToPay) {
  CampaignStatus late = status();
  EXPECT_NE(outlook_text(late).find("Too early"), std::string::npos);
  late.unseen = {1.2, 0.2, 6, 10};
  EXPECT_NE(outlook_text(late).find("More time is unlikely to pay: about 1 more"), std::string::npos);
  late.unseen = {12, 4, 40, 10};
  EXPECT_NE(outlook_text(late).find("More time is likely to pay: about 12 more"), std::string::npos);
  EXPECT_NE(outlook_text(late).find("95 %: 4 to 40"), std::string::npos);
}

TEST(CampaignStatus, TheCurveRisesToTheNumberOfProblems) {
  const std::string curve = curve_text({{1, 2}, {5, 8}, {10, 16}});
  EXPECT_EQ(curve.find("      16 |"), 0u);
  EXPECT_EQ(std::ranges::count(curve, '\n'), 10);
  const std::string top = curve.substr(0, curve.find('\n'));
  EXPECT_TRUE(top.ends_with('#'));
  EXPECT_EQ(std::ranges::count(top, '#'), 1);
  EXPECT_EQ(curve_text({{1, 2}}), "");
}

TEST(CampaignStatus, ARunThatWasKilledIsToldAsSuch) {
  CampaignStatus killed = status();
  killed.runs = {{1, 1'700'000'000, 1'700'000'060, "time", "abcdef0123456789"}, {2, 1'700'001'000, {}, "", ""}};
  const std::string text = status_text(killed, Style(), {});
  EXPECT_NE(text.find("2023-11-14 22:13  60.0 s  time"), std::string::npos) << text;
  EXPECT_NE(text.find("killed"), std::string::npos);
  EXPECT_NE(text.find("abcdef012345\n"), std::string::npos);
  killed.is_running = true;
  EXPECT_NE(status_text(killed, Style(), {}).find("under way"), std::string::npos);
}

} // namespace
} // namespace faultline::report
