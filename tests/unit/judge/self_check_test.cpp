// The results of a strict replay for correct and for modified findings.
#include "../tape/reading.h"

#include "judge/diagnosis/completion.h"
#include "judge/space_of_target.h"
#include "judge/tasks/work.h"
#include "search/space.h"

namespace faultline::judge {
namespace {

using model::Finding;
using model::Settings;
using test::open_text;

struct Strict {
  explicit Strict(const std::string& text)
      : session(open_text("#include <math.h>\n" + text)),
        judge(session, settings, judged_outputs(session.target(), settings), nullptr),
        space(space_of(session.target(), settings)), everyday(search::everyday_part(space)), locations(session.sites()),
        notice(session.target(), settings), exceptions(session, settings, judge, locations, notice) {}
  Settings settings;
  exec::Session session;
  Judge judge;
  search::Space space, everyday;
  Locations locations;
  CallerNotice notice;
  ExceptionJudge exceptions;

  Finding finding(const exec::Input& input) {
    std::vector<JudgedFinding> found = judge.errors(input, "bracket");
    EXPECT_EQ(found.size(), 1u);
    if (found.empty())
      return {};
    RemedyTrial trial(session, settings, judge, space, everyday);
    Completion(session, judge, exceptions, space, everyday, trial).diagnose(found.front());
    return found.front().finding;
  }
  // The first violation, or nothing.
  std::string first(const exec::Input& input, const Finding& finding) {
    const auto violations = SelfCheck(session, judge).violations(input, finding);
    return violations.empty() ? "" : violations.front().what;
  }
};

constexpr const char* one_minus_cos = "double f(double x) {\n  double d = 1 - cos(x);\n  return d / (x * x);\n}";

TEST(SelfCheck, FindsNothingWrongWithAFindingOfOurs) {
  Strict strict(one_minus_cos);
  for (const long double x : {1e-8L, 3e-8L, -9.414135636334465e-09L})
    EXPECT_EQ(strict.first({x}, strict.finding({x})), "") << double(x);
}

TEST(SelfCheck, ComparesTheComputedValueWithTheNativeBuild) {
  Strict strict(one_minus_cos);
  Finding finding = strict.finding({1e-8});
  finding.output->computed.hex = "0x1p-1";
  EXPECT_EQ(strict.first({1e-8}, finding), "computed value of return");
}

TEST(SelfCheck, ComparesTheReferenceToItsLastDigit) {
  Strict strict(one_minus_cos);
  Finding finding = strict.finding({1e-8});
  finding.output->reference.decimal.back() ^= 1;
  EXPECT_EQ(strict.first({1e-8}, finding), "reference of return");
}

TEST(SelfCheck, ComparesTheErrorWithBoth) {
  Strict strict(one_minus_cos);
  Finding finding = strict.finding({1e-8});
  finding.error->relative = 0.5;
  EXPECT_EQ(strict.first({1e-8}, finding), "relative error of return");
}

TEST(SelfCheck, LooksForTheCauseOnThePathAndOnTheChain) {
  Strict strict(
      "double f(double x) {\n  if (x > 1)\n    return x - 3;\n  double d = 1 - cos(x);\n  return d / (x * x);\n}");
  Finding finding = strict.finding({1e-8});
  ASSERT_TRUE(finding.cause && finding.diagnosis);
  const int line = finding.cause->line;
  finding.cause->line = 4; // not executed
  EXPECT_EQ(strict.first({1e-8}, finding), "cause");
  finding.cause->line = line;
  EXPECT_EQ(strict.first({1e-8}, finding), "");
  std::erase_if(finding.diagnosis->chain, [&](const model::ChainLink& step) { return is_at(step, finding.cause); });
  finding.diagnosis->chain.back().skipped = 1;
  EXPECT_EQ(strict.first({1e-8}, finding), "cause") << "it is executed, but not on the chain";
}

} // namespace
} // namespace faultline::judge
