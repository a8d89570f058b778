#include "suite/smt.h"

#include "../temporary_folder.h"
#include "frontend/error.h"

#include <gtest/gtest.h>

namespace faultline::suite {
namespace {

constexpr const char* head = "(set-logic QF_FP)\n(declare-fun x () (_ FloatingPoint 8 24))\n";

SmtReport run_on(const test::TemporaryFolder& folder, std::vector<std::string> solvers) {
  const std::atomic<bool> never = false;
  SmtOptions options;
  options.folder = folder.path();
  options.solvers = std::move(solvers);
  return run_smt(
      options, [](size_t, size_t, const SmtRun&) {}, never);
}

TEST(SmtSuite, EveryFileIsGivenToEverySolver) {
  test::TemporaryFolder folder;
  folder.write("a.smt2", std::string(head) + "(set-info :status sat)(assert (fp.lt x x))(check-sat)");
  folder.write("b.smt2", std::string(head) + "(assert (fp.eq x x))(check-sat)");
  folder.write("c.txt", "no problem");
  const SmtReport report = run_on(folder, {"interval", "newton"});
  ASSERT_EQ(report.runs.size(), 4u);
  EXPECT_EQ(report.runs[0].answer, solve::Answer::unsat);
  EXPECT_EQ(report.runs[1].answer, solve::Answer::unknown);
  EXPECT_EQ(report.runs[2].answer, solve::Answer::sat);
  EXPECT_EQ(report.runs[3].answer, solve::Answer::sat);
}

TEST(SmtSuite, AnAnswerAgainstTheStatusIsCountedAsWrong) {
  test::TemporaryFolder folder;
  folder.write("a.smt2", std::string(head) + "(set-info :status sat)(assert (fp.lt x x))(check-sat)");
  const SmtReport report = run_on(folder, {"interval"});
  EXPECT_EQ(report.wrong(), 1u);
  EXPECT_NE(smt_text(report).find("Wrong: interval on a.smt2: unsat (status sat)"), std::string::npos);
  EXPECT_NE(smt_csv(report).find("a.smt2,interval,unsat,"), std::string::npos);
}

TEST(SmtSuite, AFolderWithoutProblemsIsRefused) {
  test::TemporaryFolder folder;
  EXPECT_THROW(smt_files(folder.path()), frontend::UserError);
  EXPECT_THROW(smt_files(std::string(folder.path()) + "/nowhere"), frontend::UserError);
}

} // namespace
} // namespace faultline::suite
