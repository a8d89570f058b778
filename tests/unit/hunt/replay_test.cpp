// An input once more: replays of what a hunt found, and explanations.
#include "hunting_ground.h"

#include "hunt/single_target.h"

#include <cmath>

namespace faultline::hunt {

using model::Explanation;
using model::Finding;
using model::OperationRow;
using model::ReplayResult;
using model::TargetReport;
namespace {

TEST(Replay, ReproducesEveryFinding) {
  Ground ground("#include <math.h>\ndouble f(double x, double y) {\n  double d = 1 - cos(x);\n  double s = x * x;\n  "
                "return d / s + log(y) + (y + 1 - y == 1 ? 0 : 1e3 * y);\n}");
  const TargetReport target = ground.only();
  EXPECT_GT(target.findings.size(), 2u);
  for (const Finding& finding : target.findings) {
    const ReplayResult result = replay(ground.options, target, finding);
    EXPECT_TRUE(result.reproduced) << text(finding.kind) << ": " << result.what;
    EXPECT_FALSE(result.what.empty());
  }
}

TEST(Replay, DoesNotReproduceWhatIsNotThere) {
  Ground ground(three);
  ground.options.functions = {"bad"};
  const TargetReport target = ground.only();
  for (Finding finding : target.findings) {
    finding.input[0].value = {"2", "0x1p+1"};
    const ReplayResult result = replay(ground.options, target, finding);
    EXPECT_FALSE(result.reproduced) << text(finding.kind);
    EXPECT_FALSE(result.what.empty());
  }
  ASSERT_FALSE(target.findings.empty());
}

TEST(Explain, ShowsTheOperationsOfThePapersFigure) {
  Ground ground(three);
  ground.options.functions = {"bad"};
  const Explanation explanation = explain(ground.options, {{"x", "1e-7"}}, 100);
  EXPECT_EQ(explanation.outcome, "returned");
  ASSERT_EQ(explanation.rows.size(), 4u);
  EXPECT_EQ(explanation.omitted, 0u);
  const auto subtraction = std::find_if(explanation.rows.begin(), explanation.rows.end(),
                                        [](const OperationRow& row) { return row.operation == "fsub"; });
  ASSERT_NE(subtraction, explanation.rows.end());
  EXPECT_EQ(subtraction->line, 3);
  EXPECT_EQ(subtraction->function, "bad");
  ASSERT_EQ(subtraction->operands.size(), 2u);
  EXPECT_EQ(subtraction->operands[0], "1");
  EXPECT_EQ(std::stod(subtraction->operands[1]), std::cos(1e-7));
  ASSERT_EQ(subtraction->conditions.size(), 2u);
  EXPECT_NEAR(std::max(subtraction->conditions[0], subtraction->conditions[1]) / 2.0016e14, 1, 1e-4);
  EXPECT_EQ(std::stod(subtraction->result), 1 - std::cos(1e-7));
  EXPECT_NEAR(std::stod(subtraction->reference), 5e-15, 1e-20);
  EXPECT_NEAR(subtraction->relative_error, 7.992e-4, 1e-6);
  double shares = 0;
  for (const OperationRow& row : explanation.rows)
    shares += row.share;
  EXPECT_NEAR(shares, 1, 1e-6);
  ASSERT_TRUE(explanation.error.has_value()) << "also below the threshold";
  EXPECT_NEAR(explanation.error->relative, 7.992e-4, 1e-6);
  ASSERT_TRUE(explanation.output.has_value());
  EXPECT_EQ(explain(ground.options, {{"x", "1e-7"}}, 1).rows.size(), 1u);
  EXPECT_EQ(explain(ground.options, {{"x", "1e-7"}}, 1).omitted, 3u);
}

TEST(Explain, SaysHowACrashEnded) {
  Ground ground(killing);
  const Explanation killed = explain(ground.options, {{"x", "50.1"}}, 10);
  EXPECT_TRUE(killed.interrupted);
  EXPECT_NE(killed.outcome.find("killed"), std::string::npos);
  EXPECT_EQ(explain(ground.options, {{"x", "1"}}, 10).outcome, "returned");
}

} // namespace
} // namespace faultline::hunt
