// The folder that a run and its tasks on other machines share, and the files in it.
#include "stored_campaign.h"

#include "base/error.h"
#include "base/process.h"
#include "campaign/arms.h"
#include "campaign/remote/launcher.h"
#include "campaign/remote/merging.h"
#include "campaign/remote/share_job.h"
#include "campaign/remote/share_run.h"
#include "campaign/remote/share_task.h"
#include "short_run.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <thread>

namespace faultline::campaign {

using namespace test_store;

namespace {

SharedFunction function_with_history() {
  SharedFunction function;
  function.row = {.function = "f",
                  .symbol = "f",
                  .state = TargetState::open,
                  .version = {"code", "places", "settings"},
                  .rounds = 6,
                  .granted = 17'000,
                  .seconds = 1.5,
                  .news = 0.25,
                  .news_seconds = 0.7,
                  .quiet = 2,
                  .reached = 12,
                  .everyday_error = 0.125};
  function.settings.ranges["x"] = {0, 1};
  function.past = {{"auto", 3}, {"everyday", 0}, {"bracket", 0.1}, {"ariadne", 0.5}, {"fpgen", 0}, {"auto", 0}};
  function.findings = {finding_at(4, 0.5), finding_at(9, 0.25)};
  function.first_inputs = {{{0x1.8p-3L}, "seen", ""}};
  return function;
}

ShareJob job_with_history() {
  return {5, 3, std::string(64, 'a'), "/home/somebody", {"-DN=4"}, 7, 20'000, 3600, {function_with_history()}};
}

RoundLine round_line() {
  RoundLine line;
  line.function = line.symbol = "f";
  line.version = {"code", "places", "settings"};
  line.round = 2;
  line.arm = "auto";
  line.seed = ~uint64_t(0);
  line.evaluations = 4000;
  line.reached = 17;
  line.again = {finding_at(9, 0.5)};
  line.found = report_with({finding_at(4, 0.5)});
  return line;
}

TEST(Shares, JobFilesThatSomebodyDamagedAreReadOrRefused) {
  fuzz::expect_no_surprise(fuzz::fuzz_share_jobs, fuzz::json_material({share_job_text(job_with_history())}),
                           fuzz::json_mutant);
}

TEST(Shares, LinesThatSomebodyDamagedAreReadOrRefused) {
  fuzz::expect_no_surprise(
      fuzz::fuzz_share_lines,
      fuzz::json_material({line_text(round_line()), line_text(ResultsHead{1, 2, "a-1-b"}), line_text(AliveLine{12.5}),
                           line_text(EndLine{RunEnding::time}), line_text(FailedLine{"no program"})}),
      fuzz::json_mutant);
}

// What a task chooses is what the campaign would have chosen.
TEST(Shares, ATaskKnowsAFunctionsHistory) {
  const ShareJob job = parse_share_job(share_job_text(job_with_history()), "job-3.json");
  const TaskStore store = store_of_task(job);
  ASSERT_EQ(store.rows.size(), 1u);
  const TargetRow& row = store.rows[0];
  const SharedFunction function = function_with_history();
  const std::vector<PastRound> past = past_rounds(*store.database, row.id, row.program);
  const Round round = next_round({"f", 7, row.rounds, past}, arms_for(function.settings));
  const Round expected = next_round({"f", 7, 6, function.past}, arms_for(function.settings));
  EXPECT_EQ(round.number, 6);
  EXPECT_EQ(round.arm, expected.arm);
  EXPECT_EQ(round.seed, expected.seed);
  EXPECT_EQ(row.granted, 17'000u);
  EXPECT_EQ(row.everyday_error, 0.125);
  EXPECT_EQ(row.version, function.row.version);
  EXPECT_EQ(findings_of(*store.database, row.id).size(), 2u);
}

TEST(Shares, FunctionsAreDividedEvenlyAndNoTaskGetsNone) {
  std::vector<size_t> functions(10);
  for (size_t i = 0; i < functions.size(); ++i)
    functions[i] = i;
  const auto parts = dealt(functions, 4);
  ASSERT_EQ(parts.size(), 4u);
  EXPECT_EQ(parts[0], (std::vector<size_t>{0, 4, 8}));
  EXPECT_EQ(parts[3], (std::vector<size_t>{3, 7}));
  EXPECT_EQ(dealt(functions, 64).size(), 10u);
  EXPECT_TRUE(dealt({}, 64).empty());
}

TEST(Shares, OneTaskGetsAJobHoweverManyAsk) {
  const test::TemporaryFolder temporary;
  const ShareFolder folder(temporary.path());
  constexpr int tasks = 16;
  std::atomic<int> won = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < tasks; ++i)
    threads.emplace_back([&, i] {
      ResultsWriter results(folder, {1, 3, fmt::format("node-{}", i)});
      won += folder.claim(results.name());
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(won, 1);
  EXPECT_TRUE(folder.is_claimed(3));
  EXPECT_EQ(folder.results().size(), size_t(tasks));
}

TEST(Shares, NamesOfFilesAreReadBackAndOthersAreNone) {
  const ResultsName name{7, own_task_name()};
  ASSERT_TRUE(results_name(name.text()));
  EXPECT_EQ(results_name(name.text())->task, name.task);
  for (const char* other : {"job-7.results", "job-x.a.results", "job-7.a b.results", "job-7...results",
                            "job-.a.results", "job-99999999999999999999.a.results", "results"})
    EXPECT_FALSE(results_name(other)) << other;
  EXPECT_EQ(job_number("/a/job-12.json"), 12u);
  EXPECT_FALSE(job_number("/a/job-12.json.part"));
}

TEST(Shares, ALauncherTellsWhatBecameOfItsCommands) {
  const test::TemporaryFolder temporary;
  const ShareFolder folder(temporary.path());
  Launcher launcher("case {job} in *-1.json) echo no room; exit 3;; esac", 1);
  launcher.start(folder, 0, 3);
  EXPECT_EQ(launcher.state(2), TaskState::waiting);
  for (int i = 0; i < 500 && launcher.state(2) != TaskState::released; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    launcher.look();
  }
  EXPECT_EQ(launcher.state(0), TaskState::released);
  EXPECT_EQ(launcher.state(1), TaskState::gone);
  EXPECT_EQ(launcher.state(2), TaskState::released);
  EXPECT_EQ(launcher.last_words(folder, 1), "no room");
  EXPECT_THROW(Launcher("true", 1), base::UserError);
}

// A folder's name is not run as a command, and a message names what a node lacks.
TEST(Shares, ABatchScriptRunsTheJobOfItsIndexAndNothingElse) {
  const test::TemporaryFolder temporary;
  const std::string path = temporary.path() + "/it's $(touch ran); here";
  std::filesystem::create_directory(path);
  const ShareFolder folder(path);
  const auto run = [&](const std::string& program) {
    const std::string text = batch_text({.partition = "", .worker = {program, "worker", "--share"}}, folder, 40);
    return base::run({"/bin/sh", "-c", "SLURM_ARRAY_TASK_ID=2; cd " + temporary.path() + "\n" + text});
  };
  EXPECT_EQ(run("/bin/echo").output, "worker --share " + path + "/job-42.json\n");
  EXPECT_FALSE(std::filesystem::exists(temporary.path() + "/ran"));
  const base::ProgramEnd lacking = run("/opt/none/faultline");
  EXPECT_EQ(lacking.status, 127);
  EXPECT_NE(lacking.output.find("has no /opt/none/faultline"), std::string::npos) << lacking.output;
  std::filesystem::remove(path);
  EXPECT_NE(run("/bin/echo").output.find("does not see"), std::string::npos);
}

} // namespace
} // namespace faultline::campaign
