#include "finding/job.h"

#include "finding/json/json.h"
#include "frontend/error.h"
#include "one_of_each.h"

#include <gtest/gtest.h>

namespace faultline::finding {
namespace {

TEST(Jobs, ComeBackAsTheyWereWritten) {
  std::set<size_t> tasks;
  for (const Task& task : tasks_of_each_kind()) {
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
  const Json whole = Json::parse(job_text(job_with(HuntTask{})));
  for (const auto& [key, value] : whole.items()) {
    Json without = whole;
    without.erase(key);
    try {
      parse_job(without.dump(), "job.json");
      ADD_FAILURE() << "accepted without " << key;
    } catch (const frontend::UserError& error) {
      EXPECT_NE(std::string(error.what()).find("job.json: has no \"" + key + "\""), std::string::npos) << error.what();
    }
  }
  Json later = whole;
  later["job"] = 2;
  EXPECT_THROW(parse_job(later.dump(), "job.json"), frontend::UserError);
  EXPECT_THROW(parse_job("", "job.json"), frontend::UserError);
}

} // namespace
} // namespace faultline::finding
