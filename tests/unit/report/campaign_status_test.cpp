// What a user reads of a campaign.
#include "report/status_text.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace faultline::report {
namespace {

using model::CampaignStatus;

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
  EXPECT_NE(outlook_text(early).find("is likely to find more: 1 function has not been looked at"), std::string::npos);
}

TEST(CampaignStatus, ItSaysWhenFurtherTimeIsUnlikelyToPay) {
  CampaignStatus late = status();
  EXPECT_NE(outlook_text(late).find("Too early"), std::string::npos);
  late.unseen = {1.2, 0.2, 6, 10};
  EXPECT_NE(outlook_text(late).find("More time is unlikely to find more: about 1 more"), std::string::npos);
  late.unseen = {12, 4, 40, 10};
  EXPECT_NE(outlook_text(late).find("More time is likely to find more: about 12 more"), std::string::npos);
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

TEST(CampaignStatus, BeforeTheCodeIsReadThereAreNoFunctionsToBeCounted) {
  CampaignStatus early;
  early.folder = "night";
  EXPECT_NE(status_text(early, Style(), {}).find("the code is read when the first run begins"), std::string::npos);
  early.is_running = true;
  EXPECT_NE(status_text(early, Style(), {}).find("the code is being read"), std::string::npos);
}

TEST(CampaignStatus, TimesAreNotRoundedUpToWhatIsNotOverYet) {
  EXPECT_EQ(duration_text(99.9), "99.9 s");
  EXPECT_EQ(duration_text(100), "1 min 40 s");
  EXPECT_EQ(duration_text(119.9), "1 min 59 s");
  EXPECT_EQ(duration_text(120), "2 min");
  EXPECT_EQ(duration_text(3599), "59 min");
  EXPECT_EQ(duration_text(7200), "2.0 h");
}

CampaignStatus busy() {
  CampaignStatus busy = status();
  busy.unseen = {12, 4, 40, 10};
  busy.sites = 200;
  busy.reached = 150;
  for (int i = 0; i < 10; ++i) {
    busy.most_time.push_back({"a_function_of_a_library_with_a_very_long_name_" + std::to_string(i), 3, 123'456, 1e4});
    busy.curve.push_back({double(i), uint64_t(i), 1, 100});
  }
  busy.runs = {{1, 1'700'000'000, 1'700'000'060, "time", "abcdef0123456789"}};
  return busy;
}

size_t widest(const std::string& text) {
  size_t most = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t end = text.find('\n', begin);
    most = std::max(most, end - begin);
    begin = end + 1;
  }
  return most;
}

TEST(CampaignStatus, ItFitsEightyColumns) {
  const std::string text = status_text(busy(), Style(), {});
  EXPECT_LE(widest(text), 80u) << text;
  EXPECT_NE(text.find("150 of 200 operations reached (75 %)"), std::string::npos);
  EXPECT_GT(widest(status_text(busy(), Style(), {.full = false, .columns = 120, .lines = {}})), 80u);
}

TEST(CampaignStatus, ItFitsATerminalOfFewLines) {
  for (const size_t lines : {6u, 12u, 23u, 40u}) {
    const std::string text = status_text(busy(), Style(), {.full = false, .columns = 80, .lines = lines});
    EXPECT_LE(size_t(std::ranges::count(text, '\n')), std::max<size_t>(lines, 8)) << text;
    EXPECT_NE(text.find("30 errors, 10 warnings"), std::string::npos);
    EXPECT_EQ(text.find("-+---") != std::string::npos || text.find("+----") != std::string::npos, lines >= 23);
  }
}

TEST(CampaignStatus, OneIsOne) {
  CampaignStatus one = status();
  one.functions = one.looked_at = one.errors = one.warnings = one.jobs = 1;
  EXPECT_EQ(status_line(one), "1 of 1 function looked at, 1 job, 0 evaluations, 1 error, 1 warning");
}

} // namespace
} // namespace faultline::report
