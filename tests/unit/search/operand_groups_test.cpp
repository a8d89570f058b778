// Groups of operands: inputs that are parted wrongly leave the solver without a choice, or with a hard problem.
#include "search/fpgen/cancelling.h"

#include "searching.h"

namespace faultline::test {
namespace {

using search::OperandGroups;
using Inputs = std::vector<size_t>;

OperandGroups groups_of(const std::string& text, const model::Sizes& sizes = {}, const Inputs& held = {}) {
  exec::Session session = open_math(text, sizes);
  search::Space space;
  exec::Input input;
  for (const model::Cell& cell : session.target().inputs) {
    space.dimensions.push_back(a_double(-100, 100));
    space.dimensions.back().name = cell.name;
    input.push_back((long double)input.size() + 1.5L);
  }
  for (const size_t i : held)
    space.dimensions[i].low = space.dimensions[i].high = input[i];
  return operand_groups(read(session, input), space);
}

TEST(OperandGroups, ADotProductHasItsTwoVectors) {
  const OperandGroups groups = groups_of("double f(const double x[3], const double y[3]) { double s = 0;"
                                         " for (int i = 0; i < 3; i++) s += x[i] * y[i]; return s; }",
                                         {{"*", {3}}});
  EXPECT_EQ(groups.smaller, (Inputs{0, 1, 2}));
  EXPECT_EQ(groups.larger, (Inputs{3, 4, 5}));
}

TEST(OperandGroups, ScalarsArePartedLikeArrays) {
  const OperandGroups groups = groups_of("double f(double a, double b, double c, double d) { return a * c + b * d; }");
  EXPECT_EQ(groups.smaller, (Inputs{0, 1}));
  EXPECT_EQ(groups.larger, (Inputs{2, 3}));
}

TEST(OperandGroups, ASumIsOneGroup) {
  for (const char* term : {"x[i]", "fabs(x[i])", "x[i] * x[i]", "3 * x[i]"}) {
    const OperandGroups groups = groups_of(
        fmt::format("double f(const double x[4]) {{ double s = 0; for (int i = 0; i < 4; i++) s += {}; return s; }}",
                    term),
        {{"x", {4}}});
    EXPECT_EQ(groups.smaller, (Inputs{0, 1, 2, 3})) << term;
    EXPECT_FALSE(groups.parted()) << term;
  }
}

TEST(OperandGroups, AWeightedMeanHasDataAndWeightsAndTheWeightsDivide) {
  const OperandGroups groups =
      groups_of("double f(const double w[3], const double x[3]) { double m = 0, W = 0; for (int i = 0; i < 3; i++) {"
                " W += w[i]; m += (x[i] - m) * (w[i] / W); } return m; }",
                {{"*", {3}}});
  EXPECT_EQ(groups.smaller, (Inputs{3, 4, 5}));
  EXPECT_EQ(groups.larger, (Inputs{0, 1, 2}));
}

TEST(OperandGroups, TheSmallerGroupComesFirstAndTakesWhatMeetsNothing) {
  const OperandGroups groups = groups_of("double f(const double x[3], double a, double c) { double s = c;"
                                         " for (int i = 0; i < 3; i++) s += x[i] * a; return s; }",
                                         {{"x", {3}}});
  EXPECT_EQ(groups.smaller, (Inputs{3, 4}));
  EXPECT_EQ(groups.larger, (Inputs{0, 1, 2}));
}

TEST(OperandGroups, AnArrayThatMeetsItselfIsPartedByItsElements) {
  const OperandGroups groups =
      groups_of("double f(const double A[4]) { return A[0] * A[3] - A[1] * A[2]; }", {{"A", {4}}});
  EXPECT_EQ(groups.smaller, (Inputs{0, 1}));
  EXPECT_EQ(groups.larger, (Inputs{2, 3}));
}

TEST(OperandGroups, ElementsOfAnArrayStayTogetherIfThereIsAnother) {
  const OperandGroups groups =
      groups_of("double f(const double x[2], const double y[2]) { return x[0] * x[1] + x[0] * y[0] + x[1] * y[1]; }",
                {{"*", {2}}});
  EXPECT_EQ(groups.smaller, (Inputs{0, 1}));
  EXPECT_EQ(groups.larger, (Inputs{2, 3}));
}

TEST(OperandGroups, HeldInputsAreInNone) {
  const OperandGroups groups =
      groups_of("double f(double a, double b, double c, double d) { return a * c + b * d; }", {}, {2, 3});
  EXPECT_EQ(groups.smaller, (Inputs{0, 1}));
  EXPECT_FALSE(groups.parted());
}

} // namespace
} // namespace faultline::test
