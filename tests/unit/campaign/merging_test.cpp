// What tasks elsewhere have found, merged into a store: once, whatever the files look like.
#include "stored_campaign.h"

#include "base/error.h"
#include "campaign/arms.h"
#include "campaign/remote/merging.h"
#include "campaign/rounds.h"
#include "campaign/store/finding_table.h"

#include <fstream>
#include <gtest/gtest.h>

namespace faultline::campaign {

using namespace test_store;

namespace {

constexpr uint64_t campaign_seed = 7; // of stored_campaign.h

// A campaign with two functions, and a results file.
struct Merged : Campaign {
  Merged() {
    add("f");
    add("g");
    rows = targets_of(*database);
    options.tell = [this](const std::string& line) { told.push_back(line); };
    write(head() + "\n");
  }

  static std::string head() { return line_text(ResultsHead{1, 3, "node7-12-ab"}); }

  RoundLine round(int64_t number, std::vector<model::Finding> findings = {}, const std::string& function = "f") const {
    const Round round = next_round({function, campaign_seed, uint64_t(std::max<int64_t>(number, 0)), {}}, arms_for({}));
    RoundLine line;
    line.function = line.symbol = function;
    line.version = rows[0].version;
    line.round = number;
    line.arm = "auto";
    line.seed = number < 0 ? campaign_seed : round.seed;
    line.evaluations = 100;
    line.found = report_with(std::move(findings));
    line.found.function = function;
    line.found.inputs = {{"x", "binary64", "0", "1"}};
    return line;
  }
  std::string text(int64_t number, std::vector<model::Finding> findings = {}) const {
    return line_text(round(number, std::move(findings))) + "\n";
  }

  void write(const std::string& bytes) const { std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes; }
  void append(const std::string& bytes) const { std::ofstream(file, std::ios::binary | std::ios::app) << bytes; }
  // As another process would, with nothing in mind.
  FileNews merge() {
    rows = targets_of(*database);
    return Merging({*database, options, campaign_seed, run, {}}, rows, [](size_t, const RoundResult&) {}).merge(file);
  }
  uint64_t rounds() { return uint64_t(database->whole("SELECT rounds FROM targets WHERE function = 'f'")); }

  hunt::Options options;
  std::vector<std::string> told;
  std::vector<TargetRow> rows;
  std::string file = temporary.path() + "/job-3.node7-12-ab.results";
};

TEST(Merging, ARoundFromElsewhereIsRecordedAsOneOfThisMachine) {
  Merged there;
  there.append(there.text(0, {finding_at(4, 0.5)}) + there.text(diagnosis_round, {finding_at(4, 0.5)}) + there.text(1));
  EXPECT_EQ(there.merge().merged, 3u);
  Campaign here;
  TargetRow row = here.add("f");
  record_round(here, row, 0, {finding_at(4, 0.5)}, here.run);
  record_round(here, row, diagnosis_round, {finding_at(4, 0.5)}, here.run);
  record_round(here, row, 1, {}, here.run);
  for (const char* question : {"SELECT round, arm, evaluations, made, news, new_problems FROM jobs ORDER BY id",
                               "SELECT finding, problem, tier, error, line FROM findings ORDER BY id",
                               "SELECT rounds, granted, quiet, news, outcome FROM targets WHERE function = 'f'"}) {
    Rows a = here.database->ask(question), b = there.database->ask(question);
    while (a.next()) {
      ASSERT_TRUE(b.next());
      for (int column = 0; column < 5; ++column)
        EXPECT_EQ(a.text(column), b.text(column)) << question;
    }
    EXPECT_FALSE(b.next());
  }
}

TEST(Merging, ATornLastLineIsLeftForLater) {
  Merged there;
  const std::string line = there.text(0, {finding_at(4, 0.5)});
  for (size_t place = 1; place < line.size(); place += line.size() / 5) {
    there.write(Merged::head() + "\n" + line.substr(0, place));
    const FileNews news = there.merge();
    EXPECT_EQ(news.merged + news.refused, 0u);
  }
  there.write(Merged::head() + "\n" + line);
  EXPECT_EQ(there.merge().merged, 1u);
  EXPECT_TRUE(there.told.empty());
  there.write("");
  EXPECT_EQ(there.merge().refused, 0u); // not even its head is written yet
}

TEST(Merging, ALineChangesNothingTheSecondTime) {
  Merged there;
  there.append(there.text(0, {finding_at(4, 0.5)}) + there.text(diagnosis_round, {finding_at(4, 0.5)}) +
               there.text(1, {finding_at(9, 0.5)}));
  EXPECT_EQ(there.merge().merged, 3u);
  EXPECT_FALSE(there.merge().grew);
  const auto sum = [&] {
    return there.database->whole("SELECT sum(jobs) FROM incidence") + 1000 * int64_t(there.rounds()) +
           1'000'000 * there.database->whole("SELECT count(*) FROM findings");
  };
  const int64_t before = sum();
  there.database->run("DELETE FROM shares"); // a copy under another name, or a store that was put back
  const FileNews again = there.merge();
  EXPECT_EQ(again.merged, 0u);
  EXPECT_EQ(again.known, 3u);
  EXPECT_EQ(sum(), before);
}

TEST(Merging, WhatMakesNoSenseIsToldAndDoesNotKeepTheRestBack) {
  Merged there;
  RoundLine other_version = there.round(0), other_seed = there.round(0), other_arm = there.round(0),
            gap = there.round(5), made_up = there.round(0, {finding_at(4, 0.5)}), stranger = there.round(0, {}, "h");
  other_version.version.code = "other";
  other_seed.seed += 1;
  other_arm.arm = "rm -rf";
  made_up.found.findings.front().id = "0000000000000000";
  std::string lines =
      "\n\x01\xff{\n[1,2]\n{\"round\":0}\n{\"round\":-7}\n{\"end\":\"of all\"}\n" + Merged::head() + "\n";
  for (const RoundLine& line : {other_version, other_seed, other_arm, gap, made_up, stranger})
    lines += line_text(line) + "\n";
  there.append(lines + there.text(0) + line_text(EndLine{RunEnding::time}) + "\n");
  const FileNews news = there.merge();
  EXPECT_EQ(news.merged, 1u);
  EXPECT_EQ(news.ending, RunEnding::time);
  EXPECT_EQ(news.refused, 12u);
  EXPECT_EQ(there.told.size(), 5u) << "a few are enough";
  EXPECT_EQ(there.rounds(), 1u);
}

TEST(Merging, AFileThatIsNoneOfResultsIsToldOnce) {
  Merged there;
  there.write("{\"faultline\": \"1\"}\n");
  EXPECT_FALSE(is_results_file(there.file));
  EXPECT_FALSE(there.merge().grew);
  ASSERT_EQ(there.told.size(), 1u);
  EXPECT_NE(there.told[0].find("is no line of results"), std::string::npos) << there.told[0];
}

// A full disk, or kill -9: what is stored of a file, and how far it is read, are true together.
TEST(Merging, HowFarAFileIsReadIsStoredWithWhatWasRead) {
  Merged there;
  std::string lines = there.text(0); // without findings there is nothing to diagnose
  for (int64_t round = 1; round < 40; ++round)
    lines += there.text(round, {finding_at(int(round) + 1, 0.5)});
  there.append(lines);
  there.database->run(
      fmt::format("PRAGMA max_page_count = {}", there.database->whole("PRAGMA page_count") + 6)); // for some of it
  EXPECT_THROW(there.merge(), base::UserError);
  EXPECT_EQ(there.rounds(), 0u);
  EXPECT_EQ(there.database->whole("SELECT count(*) FROM shares"), 0);
  there.database->run("PRAGMA max_page_count = 100000");
  EXPECT_EQ(there.merge().merged, 40u);
}

TEST(Merging, AnotherTaskMayHaveCarriedTheSameRoundsOut) {
  Merged there;
  there.append(there.text(0) + there.text(1) + there.text(2));
  TargetRow row = there.rows[0];
  record_round(there, row, 0, {}, there.run);
  record_round(there, row, 1, {}, there.run);
  const FileNews news = there.merge();
  EXPECT_EQ(news.known, 2u);
  EXPECT_EQ(news.merged, 1u);
}

TEST(Merging, KnownInputsThatWereTriedAreThoseThatAreKnown) {
  Merged there;
  TargetRow row = there.rows[0];
  record_round(there, row, 0, {finding_at(4, 0.5), finding_at(9, 0.5)}, there.run);
  there.database->run("UPDATE targets SET state = 'known' WHERE id = ?", row.id);
  RoundLine tried = there.round(known_inputs_round, {finding_at(9, 0.5)});
  tried.known = hash_of_known(*there.database, row.id);
  RoundLine of_others = tried;
  of_others.known = "0123456789abcdef";
  of_others.found.findings.clear();
  there.append(line_text(of_others) + "\n" + line_text(tried) + "\n" + line_text(tried) + "\n");
  const FileNews news = there.merge();
  EXPECT_EQ(news.merged, 1u);
  EXPECT_EQ(news.known, 2u);
  EXPECT_EQ(findings_of(*there.database, row.id).size(), 1u);
}

TEST(Merging, AJobThatWasLeftOverIsDoneByARoundFromElsewhere) {
  Merged there;
  begin_job(*there.database, {0, there.rows[0].id, there.rows[0].program, 0, "auto", 1, 100}, there.run);
  there.append(there.text(0));
  EXPECT_EQ(there.merge().merged, 1u);
  EXPECT_EQ(there.database->whole("SELECT count(*) FROM jobs WHERE state = 'done'"), 1);
  EXPECT_EQ(there.database->whole("SELECT count(*) FROM jobs"), 1);
}

} // namespace
} // namespace faultline::campaign
