// Which job comes next, and when to stop.
#include "campaign/arms.h"
#include "campaign/campaign_page.h"
#include "campaign/recording.h"
#include "campaign/store/finding_table.h"

#include <gtest/gtest.h>
#include <map>
#include <set>

namespace faultline::campaign {
namespace {

std::vector<Arm> arms() { return arms_for({}); }

TEST(Arms, AFunctionsRoundsDependOnItsOwnHistoryAlone) {
  const History history{"f", 1, 3, {{"auto", 1}, {"everyday", 0}, {"bracket", 0}}};
  const Round round = next_round(history, arms()), same = next_round(history, arms());
  EXPECT_EQ(round.arm, same.arm);
  EXPECT_EQ(round.seed, same.seed);
  EXPECT_NE(next_round({"g", 1, 3, history.past}, arms()).seed, round.seed);
  EXPECT_NE(next_round({"f", 2, 3, history.past}, arms()).seed, round.seed);
}

TEST(Arms, TheFirstLookIsTheHuntThatTheSeedWouldMake) {
  const Round first = next_round({"f", 42, 0, {}}, arms());
  EXPECT_EQ(first.arm, "auto");
  EXPECT_EQ(first.seed, 42u);
}

TEST(Arms, EachIsTriedAndThenTheOneThatBringsMostIsPreferredButNoneForgotten) {
  History history{"f", 1, 0, {}};
  std::map<std::string, int> used;
  for (int i = 0; i < 60; ++i) {
    const Round round = next_round(history, arms());
    ++used[round.arm];
    history.past.push_back({round.arm, round.arm == "ariadne" ? 1.0 : 0.0});
    ++history.rounds;
  }
  EXPECT_EQ(used.size(), arms().size());
  for (const auto& [arm, times] : used) {
    EXPECT_GE(times, 2) << arm;
    EXPECT_LE(times, used["ariadne"]) << arm;
  }
  EXPECT_GE(used["ariadne"], 20);
}

TEST(Arms, RoundsGrowUpToALimit) {
  uint64_t last = 0;
  for (uint64_t round = 0; round < 100; ++round) {
    const uint64_t evaluations = next_round({"f", 1, round, {}}, arms()).evaluations;
    EXPECT_GE(evaluations, last);
    EXPECT_LE(evaluations, 32'000u);
    last = evaluations;
  }
}

TEST(Arms, WhatTheUserSaysIsObeyed) {
  model::Settings settings;
  settings.strategy = "paths";
  ASSERT_EQ(arms_for(settings).size(), 1u);
  const Round round = next_round({"f", 1, 5, {}}, arms_for(settings));
  EXPECT_EQ(settings_of(round, settings).strategy, "paths");
  EXPECT_EQ(settings_of(round, settings).evaluations, round.evaluations);
  settings = {};
  settings.wanted.exceptions = false;
  for (const Arm& arm : arms_for(settings))
    EXPECT_STRNE(arm.strategy, "ariadne");
}

TargetRow row(int64_t id, uint64_t rounds, double news = 0, double seconds = 1) {
  TargetRow row;
  row.id = id;
  row.rounds = rounds;
  row.news = news;
  row.news_seconds = seconds;
  row.seconds = seconds;
  return row;
}

TEST(Choice, KnownInputsComeFirstThenFirstLooksThenYield) {
  std::vector<TargetRow> rows{row(1, 4, 5), row(2, 0), row(3, 1), row(4, 2)};
  rows[3].state = TargetState::known;
  const auto chosen = [&](std::set<int64_t> busy) {
    std::vector<Candidate> candidates;
    for (const TargetRow& each : rows)
      candidates.push_back({&each, busy.contains(each.id)});
    const std::optional<size_t> place = choose(candidates, 1);
    return place ? rows[*place].id : 0;
  };
  EXPECT_EQ(chosen({}), 4);
  EXPECT_EQ(chosen({4}), 2);
  EXPECT_EQ(chosen({4, 2}), 1);
  EXPECT_EQ(chosen({4, 2, 1}), 3);
  EXPECT_EQ(chosen({4, 2, 1, 3}), 0);
}

// One function brings something each round, the others nothing.
TEST(Choice, AQuietFunctionGetsLessAndNeverNothing) {
  std::vector<TargetRow> rows;
  for (int64_t id = 0; id < 20; ++id)
    rows.push_back(row(id, 1, 0, 0.1));
  for (uint64_t turn = 0; turn < 2000; ++turn) {
    std::vector<Candidate> candidates;
    for (const TargetRow& each : rows)
      candidates.push_back({&each, false});
    TargetRow& next = rows[*choose(candidates, turn)];
    ++next.rounds;
    add_news(next, next.id == 7 ? 1 : 0, 1);
  }
  for (const TargetRow& each : rows)
    EXPECT_GE(each.rounds, 10u) << each.id;
  EXPECT_GT(rows[7].rounds, 1000u);
  EXPECT_EQ(rows[7].quiet, 0u);
  EXPECT_GE(rows[3].quiet, 10u);
}

TEST(Choice, ShortRoundsGoOnWhileTheyBringSomethingThenAllIsDiagnosed) {
  TargetRow found = row(1, 1, 2);
  EXPECT_EQ(next_job_of(found, {}), 1);
  EXPECT_FALSE(is_short(found, 1));
  found.state = TargetState::undiagnosed;
  EXPECT_EQ(next_job_of(found, {}), 1);
  EXPECT_TRUE(is_short(found, 1));
  found.quiet = 1;
  EXPECT_EQ(next_job_of(found, {}), diagnosis_round);
  found.quiet = 0;
  found.rounds = 50;
  EXPECT_EQ(next_job_of(found, {}), diagnosis_round);
}

TEST(Choice, WhatHasHadItsEvaluationsIsDiagnosedBeforeItEnds) {
  TargetRow found = row(1, 1, 2);
  found.state = TargetState::undiagnosed;
  found.granted = 1000;
  EXPECT_EQ(next_job_of(found, 2000), 1);
  EXPECT_EQ(next_job_of(found, 1000), diagnosis_round);
}

TEST(Choice, DiagnosesDoNotKeepSearchesWaitingNorTheOtherWayRound) {
  std::vector<TargetRow> rows;
  for (int64_t id = 0; id < 40; ++id) {
    rows.push_back(row(id, 1, double(id % 5), 1));
    if (id % 2 == 0) {
      rows.back().state = TargetState::undiagnosed;
      rows.back().quiet = 1;
    }
  }
  int diagnosed = 0, searched = 0;
  for (uint64_t turn = 0; turn < 30; ++turn) {
    std::vector<Candidate> candidates;
    for (const TargetRow& each : rows)
      candidates.push_back({&each, false, next_job_of(each, {})});
    TargetRow& next = rows[*choose(candidates, turn)];
    ++(next.state == TargetState::undiagnosed ? diagnosed : searched);
    next.state = TargetState::open;
    next.seconds += 1;
  }
  EXPECT_GE(diagnosed, 8);
  EXPECT_GE(searched, 12);
  EXPECT_GT(searched, diagnosed) << "every third job is a diagnosis";
}

TEST(Choice, NewProblemsWeighMoreThanNotesAndPaths) {
  EXPECT_GT(weight_of({.problems = 1}), weight_of({.notes = 3}));
  EXPECT_GT(weight_of({.notes = 1}), 0);
  EXPECT_GT(weight_of({.larger_error = true}), 0);
  EXPECT_EQ(weight_of({}), 0);
}

TEST(Richness, NothingIsLeftWhereAllWasSeenOften) {
  const Unseen unseen = unseen_of({30, 0, 2});
  EXPECT_EQ(unseen.estimate, 0);
}

// Chao (1987): q1 = 10, q2 = 5: 10 are unseen.
TEST(Richness, TheEstimateIsChaosWithAnIntervalAroundIt) {
  const Unseen unseen = unseen_of({40, 10, 5});
  EXPECT_DOUBLE_EQ(unseen.estimate, 10);
  EXPECT_LT(unseen.low, 6);
  EXPECT_GT(unseen.low, 0);
  EXPECT_GT(unseen.high, 15);
  EXPECT_DOUBLE_EQ(unseen_of({40, 4, 0}).estimate, 6);
}

} // namespace
} // namespace faultline::campaign
