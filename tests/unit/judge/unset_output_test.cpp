// What is found where exact arithmetic goes another way and leaves the output alone, or cannot go on at all.
#include "workshop.h"

namespace faultline::judge {

using model::Finding;
using model::Kind;
namespace {

constexpr const char* quadratic = "int f(double a, double b, double c, double *x1) {\n  double d = b * b - 4 * a * c;\n"
                                  "  if (d < 0)\n    return 1;\n  *x1 = (-b + sqrt(d)) / (2 * a);\n  return 0;\n}";
const exec::Input no_root = {10034.484446876104, 8262.360009932949, 1700.7997096201511}; // d is -4.7e-9 and rounds to 0

TEST(Judge, ARootThatExactArithmeticDoesNotSetIsABranchFlip) {
  Workshop workshop(quadratic);
  const Finding finding = workshop.finished(no_root);
  EXPECT_EQ(finding.kind, Kind::branch_flip);
  ASSERT_TRUE(finding.cause && finding.output && finding.diagnosis);
  EXPECT_EQ(finding.cause->line, 4) << "the comparison";
  EXPECT_EQ(finding.output->name, "x1");
  EXPECT_EQ(finding.output->reference.decimal, "") << "there is nothing to compare it with";
  EXPECT_FALSE(finding.error);
  EXPECT_TRUE(finding.diagnosis->why.ends_with("goes the other way: x1 is not set there")) << finding.diagnosis->why;
  EXPECT_FALSE(workshop.judge.largest()) << "an error of nothing is none";
}

TEST(Judge, APathThatExactArithmeticCannotTakeIsABranchFlip) {
  Workshop workshop("double f(double a, double b, double c) {\n  double d = b * b - 4 * a * c;\n  if (d < 0)\n"
                    "    return 7;\n  return (-b + sqrt(d)) / (2 * a);\n}");
  const Finding finding = workshop.finished(no_root);
  EXPECT_EQ(finding.kind, Kind::branch_flip);
  ASSERT_TRUE(finding.cause && finding.output);
  EXPECT_EQ(finding.cause->line, 4);
  EXPECT_EQ(finding.output->reference.decimal, "7");
}

} // namespace
} // namespace faultline::judge
