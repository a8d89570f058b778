#include "finding/job.h"

#include "../../golden/sample_report.h"
#include "frontend/error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace faultline::finding {
namespace {

Job job_with(Task task) {
  Job job;
  job.program = {"/somewhere/program.bc", std::string(64, 'a')};
  job.flags = {"-DN=8"};
  job.function = "ns::f(double)";
  job.symbol = "_ZN2ns1fEd";
  job.settings.threshold = 0.1;
  job.settings.ranges["x"] = {-0x1p-16445L, 0.1L};
  job.settings.seed = ~uint64_t(0);
  job.settings.lines = {{"a b.c", 3}};
  job.limits.oracle_operations = ~uint64_t(0);
  job.task = std::move(task);
  return job;
}

std::vector<Task> one_of_each() {
  const std::vector<FoundAt> found{{{1.5L, -0.0L}, golden::inaccuracy()}};
  return {HuntTask{{{{0.1L}, "bracket", "corpus"}}},
          ExplainTask{{1, 2}, 10},
          ReplayTask{found},
          PlotTask{found, {{"x", "binary64", "0", "1", true}}, 1, 0.5, 100, 4},
          ExamineTask{found},
          ExploreTask{3, true},
          DecisionsTask{{{1}, {2}}}};
}

TEST(Jobs, ComeBackAsTheyWereWritten) {
  std::set<size_t> tasks;
  for (const Task& task : one_of_each()) {
    tasks.insert(task.index());
    const Job job = job_with(task);
    const Job again = parse_job(job_text(job), "job.json");
    EXPECT_EQ(job_text(again), job_text(job));
    EXPECT_EQ(again.settings, job.settings);
    EXPECT_EQ(again.limits, job.limits);
    EXPECT_EQ(again.program, job.program);
    EXPECT_EQ(again.task.index(), task.index());
  }
  EXPECT_EQ(tasks.size(), std::variant_size_v<Task>) << "a task is not tried";
}

TEST(Jobs, ThatAreNotWholeAreRefusedWithThePlace) {
  const nlohmann::ordered_json whole = nlohmann::ordered_json::parse(job_text(job_with(HuntTask{})));
  for (const auto& [key, value] : whole.items()) {
    nlohmann::ordered_json without = whole;
    without.erase(key);
    try {
      parse_job(without.dump(), "job.json");
      ADD_FAILURE() << "accepted without " << key;
    } catch (const frontend::UserError& error) {
      EXPECT_NE(std::string(error.what()).find("job.json: has no \"" + key + "\""), std::string::npos) << error.what();
    }
  }
  nlohmann::ordered_json later = whole;
  later["job"] = 2;
  EXPECT_THROW(parse_job(later.dump(), "job.json"), frontend::UserError);
  EXPECT_THROW(parse_job("", "job.json"), frontend::UserError);
}

} // namespace
} // namespace faultline::finding
