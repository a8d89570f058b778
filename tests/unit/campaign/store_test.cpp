// The store of a campaign: its guarantees however a run ends, and for untrusted files.
#include "stored_campaign.h"

#include "base/error.h"
#include "campaign/campaign_page.h"
#include "campaign/store/campaign_file.h"
#include "campaign/store/database.h"
#include "campaign/store/finding_table.h"
#include "short_run.h"

#include <chrono>
#include <fmt/format.h>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace faultline::campaign {
namespace {

using namespace test_store;
using base::UserError;

// Each line is a letter for a column, and a value of it (tests/fuzz/store.cpp).
TEST(Store, ValuesThatAnotherProgramWroteAreReadOrRefused) {
  const fuzz::Material material{
      .seeds = {",-1\nD9223372036854775807\nM-1", "1note\n5-3\n6-9223372036854775808\nC-1", "?2\n+../x\nA-1\n:other"},
      .tokens = {"/{}", "^[]", "0", "Vproved", "yopen", "&", "-9223372036854775808", "9223372036854775807", "{}", "[]",
                 "null", "\n"},
      .separators = "\n",
      .nesting = "/["};
  fuzz::expect_no_surprise(fuzz::fuzz_store, material, fuzz::mutant, {.mutants = 200, .read = 10, .refused = 10});
}

TEST(Store, WhatACampaignIsAboutIsReadBack) {
  Campaign campaign;
  const Subject subject = subject_of(*campaign.database);
  EXPECT_EQ(subject.command, (std::vector<std::string>{"hunt", "a.c"}));
  EXPECT_EQ(subject.seed, 7u);
  EXPECT_EQ(subject.folder, "..");
  EXPECT_THROW(NewCampaign(campaign.folder, {}), UserError);
}

TEST(Store, JobsOfARunThatWasKilledAreOpenAgain) {
  Campaign campaign;
  const TargetRow row = campaign.add("f");
  begin_job(*campaign.database, {0, row.id, row.program, 0, "auto", ~uint64_t(0), 100}, campaign.run);
  EXPECT_TRUE(open_jobs(*campaign.database).empty());
  campaign.database = open_campaign(campaign.folder, Database::Opening::change);
  begin_run(*campaign.database, {});
  const std::map<int64_t, JobRow> open = open_jobs(*campaign.database);
  ASSERT_EQ(open.size(), 1u);
  EXPECT_EQ(open.at(row.id).seed, ~uint64_t(0));
}

TEST(Store, AJobThatIsNotRecordedAsAWholeLeavesNothing) {
  Campaign campaign;
  TargetRow row = campaign.add("f");
  const JobRow job = begin_job(*campaign.database, {0, row.id, row.program, 0, "auto", 1, 100}, campaign.run);
  const int64_t room = campaign.database->whole("PRAGMA page_count") + 8; // for some of it
  campaign.database->run(fmt::format("PRAGMA max_page_count = {}", room));
  std::vector<model::Finding> many;
  for (int line = 1; line < 200; ++line)
    many.push_back(finding_at(line, 0.5));
  EXPECT_THROW(record(*campaign.database, row, job, {report_with(many), {}, 0}, campaign.run), UserError);
  EXPECT_EQ(campaign.database->whole("SELECT count(*) FROM findings"), 0);
  EXPECT_EQ(campaign.database->whole("SELECT count(*) FROM incidence"), 0);
  EXPECT_EQ(campaign.database->whole("SELECT count(*) FROM jobs WHERE state = 'running'"), 1);
}

TEST(Store, FindingsOfOneCauseAreMergedAndTheWorstStays) {
  Campaign campaign;
  TargetRow row = campaign.add("f");
  const RoundResult first = record_round(campaign, row, 0, {finding_at(4, 0.01, 3)}, campaign.run);
  const RoundResult again = record_round(campaign, row, 1, {finding_at(4, 0.5, 2)}, campaign.run);
  EXPECT_EQ(first.end.new_problems, 1u);
  EXPECT_EQ(again.end.new_problems, 0u);
  const std::vector<StoredFinding> stored = findings_of(*campaign.database, row.id);
  ASSERT_EQ(stored.size(), 1u);
  EXPECT_EQ(stored[0].finding.error->relative, 0.5);
  EXPECT_EQ(row.rounds, 2u);
  EXPECT_EQ(row.granted, 200u);
  EXPECT_EQ(campaign.database->whole("SELECT jobs FROM incidence"), 2);
}

TEST(Store, WhatIsMetAgainIsCountedOnceAJob) {
  Campaign campaign;
  TargetRow row = campaign.add("f");
  record_round(campaign, row, 0, {finding_at(4, 0.5)}, campaign.run);
  record_round(campaign, row, 1, {}, campaign.run, {"line 4"});
  record_round(campaign, row, 2, {finding_at(4, 0.5)}, campaign.run, {"line 4"});
  EXPECT_EQ(campaign.database->whole("SELECT jobs FROM incidence"), 3);
  EXPECT_EQ(findings_of(*campaign.database, row.id).size(), 1u);
}

TEST(Store, WhatAFirstLookHasFoundIsDiagnosedOnceAndInItsPlace) {
  Campaign campaign;
  TargetRow row = campaign.add("f");
  record_round(campaign, row, first_look_round, {finding_at(4, 0.5), finding_at(9, 0.5)}, campaign.run);
  EXPECT_EQ(row.state, TargetState::undiagnosed);
  model::Finding full = finding_at(4, 0.25);
  full.when = "x > 1";
  record_round(campaign, row, diagnosis_round, {full}, campaign.run);
  EXPECT_EQ(row.state, TargetState::open);
  EXPECT_EQ(row.rounds, 1u);
  EXPECT_EQ(row.granted, 100u);
  const std::vector<StoredFinding> stored = findings_of(*campaign.database, row.id);
  ASSERT_EQ(stored.size(), 2u);
  EXPECT_EQ(stored[0].finding.when + stored[1].finding.when, "x > 1");
  EXPECT_EQ(campaign.database->whole("SELECT max(jobs) FROM incidence"), 1) << "it is no other search";
}

TEST(Store, TheStateAfterEachRunCanBeAskedFor) {
  Campaign campaign;
  TargetRow row = campaign.add("f");
  record_round(campaign, row, 0, {finding_at(4, 0.5), finding_at(9, 0.5)}, campaign.run);
  const int64_t second = begin_run(*campaign.database, {"fix", "program", {}});
  update_target(*campaign.database, row.id, campaign.now("f", "other code"), second, TargetState::known, true);
  row = targets_of(*campaign.database).back();
  const RoundResult recorded = record_round(campaign, row, known_inputs_round, {finding_at(9, 0.5)}, second);
  EXPECT_EQ(recorded.again.fixed, 1u);
  EXPECT_EQ(recorded.again.still, 1u);
  EXPECT_EQ(row.rounds, 0u);
  EXPECT_EQ(stored_report(*campaign.database, 1).targets.at(0).findings.size(), 2u);
  EXPECT_EQ(stored_report(*campaign.database, second).targets.at(0).findings.size(), 1u);
  EXPECT_EQ(stored_report(*campaign.database).targets.at(0).findings.size(), 1u);
  EXPECT_EQ(run_named(*campaign.database, "fix"), second);
  EXPECT_EQ(run_named(*campaign.database, "comm"), 1);
  EXPECT_THROW(run_named(*campaign.database, "nothing"), UserError);
}

TEST(Store, AFunctionThatIsBackHasWhatItHadWhenItWent) {
  Campaign campaign;
  TargetRow row = campaign.add("f");
  record_round(campaign, row, 0, {finding_at(4, 0.5), finding_at(9, 0.5)}, campaign.run);
  const int64_t without = begin_run(*campaign.database, {"broken", "program", {}});
  mark_gone(*campaign.database, row.id, without);
  EXPECT_TRUE(findings_of(*campaign.database, row.id).empty());
  const int64_t back = begin_run(*campaign.database, {"mended", "program", {}});
  take_back_findings(*campaign.database, row.id, back);
  EXPECT_EQ(findings_of(*campaign.database, row.id).size(), 2u);
  EXPECT_EQ(campaign.database->whole("SELECT max(first_run) FROM findings"), campaign.run) << "they are not new";
  EXPECT_EQ(stored_report(*campaign.database, without).targets.size(), 0u) << "and were not there in between";
}

TEST(Store, OldJobsAndPointsAreThinnedOut) {
  Campaign campaign;
  TargetRow row = campaign.add("f");
  for (int64_t round = 0; round < 3 * most_rounds_kept; ++round)
    record_round(campaign, row, round, {}, campaign.run);
  EXPECT_LE(campaign.database->whole("SELECT count(*) FROM jobs"), 2 * most_rounds_kept);
  for (int i = 0; i < 5 * most_curve_points; ++i)
    add_point(*campaign.database, campaign.run, {double(i), 1, 1, 0, 0});
  const std::vector<CurvePoint> curve = curve_of(*campaign.database);
  EXPECT_LE(curve.size(), size_t(most_curve_points));
  EXPECT_EQ(curve.front().seconds, 0);
  EXPECT_GT(curve.back().seconds, 4.9 * most_curve_points);
}

TEST(Store, ALaterSchemaIsRefusedAndAnEmptyOneIsBroughtUpToDate) {
  const test::TemporaryFolder folder;
  Database database(folder.path() + "/x.db", Database::Opening::make);
  bring_up_to_date(database);
  EXPECT_EQ(database.whole("PRAGMA user_version"), schema_version());
  bring_up_to_date(database);
  database.run(fmt::format("PRAGMA user_version = {}", schema_version() + 1));
  EXPECT_THROW(bring_up_to_date(database), UserError);
}

TEST(Store, AStrangersDatabaseRunsNothingOfItsOwn) {
  Campaign campaign;
  campaign.add("f");
  campaign.database->script("CREATE TRIGGER t AFTER UPDATE ON targets BEGIN DELETE FROM campaign; END");
  campaign.database = open_campaign(campaign.folder, Database::Opening::change);
  campaign.database->run("UPDATE targets SET line = 5");
  EXPECT_GT(campaign.database->whole("SELECT count(*) FROM campaign"), 0);
  EXPECT_THROW(campaign.database->run("SELECT * FROM problems"), UserError); // a view
  campaign.database->run("UPDATE targets SET head = '{'");
  EXPECT_THROW(stored_report(*campaign.database), UserError);
  campaign.database->run("UPDATE targets SET state = 'nowhere'");
  EXPECT_THROW(targets_of(*campaign.database), UserError);
}

// Code under test runs in forks, and could write to what the supervisor's database relies on.
TEST(Store, ForksDoNotHaveTheMemoryThatSqliteShares) {
  Campaign campaign;
  campaign.add("f");
  const auto shared = [] {
    std::ifstream maps("/proc/self/maps");
    const std::string all{std::istreambuf_iterator<char>(maps), {}};
    return all.find("campaign.db-shm") != std::string::npos;
  };
  ASSERT_TRUE(shared());
  campaign.database->keep_from_forks();
  const pid_t child = fork();
  if (child == 0)
    _exit(shared() ? 1 : 0);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Store, TwentyThousandFunctionsAreListedInAMoment) {
  Campaign campaign;
  {
    Transaction transaction(*campaign.database);
    for (int i = 0; i < 20'000; ++i)
      add_target(*campaign.database, campaign.now(fmt::format("f{}", i)), campaign.run);
    transaction.commit();
  }
  const auto begin = std::chrono::steady_clock::now();
  const std::vector<TargetRow> rows = targets_of(*campaign.database);
  std::vector<Candidate> candidates;
  for (const TargetRow& row : rows)
    candidates.push_back({&row, false});
  EXPECT_EQ(choose(candidates, 1), 0u);
  EXPECT_EQ(rows.size(), 20'000u);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST(RunLock, ASecondRunIsRefusedAndADeadOneIsNoObstacle) {
  const test::TemporaryFolder folder;
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    const RunLock lock(folder.path());
    (void)!write(ready[1], "x", 1);
    pause();
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_EQ(holder_of_lock(folder.path()), child);
  EXPECT_THROW(RunLock{folder.path()}, UserError);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_EQ(holder_of_lock(folder.path()), std::nullopt);
  EXPECT_NO_THROW(RunLock{folder.path()});
}

} // namespace
} // namespace faultline::campaign
