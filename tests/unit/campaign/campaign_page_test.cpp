// What a campaign tells: the same numbers wherever they are asked for, and what is new since its last page.
#include "stored_campaign.h"

#include "campaign/campaign_page.h"
#include "campaign/recording.h"
#include "campaign/store/finding_table.h"
#include "model/finding.h"
#include "model/problem.h"

#include <gtest/gtest.h>

namespace faultline::campaign {
namespace {

using namespace test_store;

model::Finding clear_finding(int line) {
  model::Finding finding = finding_at(line, 0.5);
  finding.diagnosis = model::Diagnosis{};
  finding.diagnosis->fault = model::Fault::cancellation;
  finding.id = identify("clear", finding);
  return finding;
}

model::Finding folded_finding(int line) {
  model::Finding finding = finding_at(line, 0);
  finding.kind = model::Kind::underflow;
  finding.error.reset();
  finding.aftermath = model::Aftermath{};
  finding.aftermath->result = model::Result::right;
  finding.id = identify("folded", finding);
  return finding;
}

model::CampaignPage page_of(Campaign& campaign) {
  const model::Report report = stored_report(*campaign.database);
  return campaign_page(*campaign.database, campaign.folder, shown_problems(report));
}

void write_page(Campaign& campaign) {
  const model::Report report = stored_report(*campaign.database);
  note_page(*campaign.database, state_of_page(*campaign.database), shown_problems(report));
}

uint64_t shown_of(Campaign& campaign) {
  const model::Report report = stored_report(*campaign.database);
  return shown_problems(report).size();
}

uint64_t counted_of(Campaign& campaign) {
  const ProblemCounts counts = count_problems(*campaign.database);
  return counts.errors + counts.warnings + counts.notes;
}

TEST(CampaignCounts, WhatReportsLeaveOutIsNotCounted) {
  Campaign campaign;
  TargetRow row = campaign.add("f");
  record_round(campaign, row, 0, {finding_at(4, 0.5), folded_finding(9)}, campaign.run);
  EXPECT_EQ(counted_of(campaign), 1u);
  EXPECT_EQ(shown_of(campaign), 1u);
}

TEST(CampaignCounts, WhatAnotherFunctionExplainsIsOneProblem) {
  Campaign campaign;
  TargetRow vague = campaign.add("vague"), clear = campaign.add("clear");
  record_round(campaign, vague, 0, {finding_at(4, 0.5)}, campaign.run);
  record_round(campaign, clear, 0, {clear_finding(4)}, campaign.run);
  join_shared_places(*campaign.database);
  EXPECT_EQ(shown_of(campaign), 1u);
  EXPECT_EQ(counted_of(campaign), 1u);
  mark_gone(*campaign.database, clear.id, campaign.run);
  join_shared_places(*campaign.database);
  EXPECT_EQ(counted_of(campaign), 1u) << "its own again";
  EXPECT_EQ(campaign.database->whole("SELECT count(*) FROM findings WHERE until_run IS NULL AND class = 'inaccuracy'"),
            1);
}

TEST(CampaignCounts, TheLargestErrorOfAllJobsIsReported) {
  Campaign campaign;
  TargetRow row = campaign.add("f");
  const auto round = [&](int64_t number, double everyday, double anywhere) {
    model::TargetReport report = report_with({});
    const auto largest = [](double error) { return model::Largest{{{"x", {"1", "0x1p+0"}}}, {error, error, 1, 1}}; };
    report.largest_everyday = largest(everyday);
    report.largest = largest(anywhere);
    const JobRow job = begin_job(*campaign.database, {0, row.id, row.program, number, "auto", 1, 100}, campaign.run);
    record(*campaign.database, row, job, {report, {}, 0}, campaign.run);
  };
  round(0, 1e-12, 1e-9);
  round(1, 1e-10, 1e-11);
  const model::TargetReport told = stored_report(*campaign.database).targets.at(0);
  ASSERT_TRUE(told.largest && told.largest_everyday);
  EXPECT_EQ(told.largest->error.relative, 1e-9);
  EXPECT_EQ(told.largest_everyday->error.relative, 1e-10);
  update_target(*campaign.database, row.id, campaign.now("f", "other code"), campaign.run, TargetState::open, true);
  EXPECT_FALSE(stored_report(*campaign.database).targets.at(0).largest) << "other code has other errors";
}

TEST(CampaignPage, ItTellsWhatIsNewAndGoneSinceTheLastOne) {
  Campaign campaign;
  TargetRow row = campaign.add("f");
  record_round(campaign, row, 0, {finding_at(4, 0.5)}, campaign.run);
  EXPECT_FALSE(page_of(campaign).news) << "the first page";
  write_page(campaign);
  EXPECT_FALSE(page_of(campaign).news) << "the same page, written again";
  const int64_t second = begin_run(*campaign.database, {});
  record_round(campaign, row, known_inputs_round, {finding_at(9, 0.5)}, second);
  const model::CampaignPage page = page_of(campaign);
  ASSERT_TRUE(page.news);
  EXPECT_EQ(page.news->run, campaign.run);
  ASSERT_EQ(page.news->fresh.size(), 1u);
  EXPECT_EQ(page.first_runs.at(page.news->fresh.front()), second);
  ASSERT_EQ(page.news->gone.size(), 1u);
  EXPECT_EQ(page.news->gone.front().line, 4);
  write_page(campaign);
  EXPECT_EQ(page_of(campaign).news->fresh, page.news->fresh) << "a page that is written again says the same";
  record_round(campaign, row, 1, {}, second);
  EXPECT_TRUE(page_of(campaign).news->fresh.empty());
}

TEST(CampaignPage, FunctionsStandInTheOrderOfTheReport) {
  Campaign campaign;
  campaign.add("g");
  TargetRow row = campaign.add("f");
  record_round(campaign, row, 0, {}, campaign.run);
  const model::CampaignPage page = page_of(campaign);
  const model::Report report = stored_report(*campaign.database);
  ASSERT_EQ(page.targets.size(), report.targets.size());
  for (size_t i = 0; i < page.targets.size(); ++i)
    EXPECT_EQ(page.targets[i].rounds, report.targets[i].function == "f" ? 1u : 0u);
}

} // namespace
} // namespace faultline::campaign
