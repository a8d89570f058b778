// A line that --site names wrongly must not pass for one that was checked.
#include "hunt/targets.h"

#include "../temporary_folder.h"
#include "base/error.h"

#include <gtest/gtest.h>

namespace faultline::hunt {
namespace {

class CheckedLines : public testing::Test {
protected:
  CheckedLines()
      : program_(program::Program::load({{folder_.write("sums.c", R"(double sum(const double *x) {
  double s = 0;
  for (int i = 0; i < 64; i++)
    s += x[i];
  return s;
}
void scale(double *x) {
  for (int i = 0; i < 64; i++)
    x[i] = x[i] * 0.5 - 1;
}
double other(double x) { return x * 3; }
)")},
                                         {},
                                         ""})) {}

  std::string refusal(const std::vector<std::string>& functions, const std::vector<int>& lines) {
    search::Checks checks;
    for (const int line : lines)
      checks.lines.push_back({"sums.c", line});
    try {
      check_lines(program_, program_.find(functions, {{"*", {64}}}, true), checks);
    } catch (const base::UserError& error) {
      EXPECT_EQ(error.status, base::status_usage);
      return std::string(error.what()) + " | " + error.hint;
    }
    return "accepted";
  }

  test::TemporaryFolder folder_;
  program::Program program_;
};

TEST_F(CheckedLines, WithAdditionsAreAcceptedAlsoWhereTheLoopIsVectorised) {
  EXPECT_EQ(refusal({"sum", "scale"}, {4, 9}), "accepted");
  EXPECT_EQ(refusal({"sum", "other"}, {4}), "accepted");
}

TEST_F(CheckedLines, WithoutAreRefusedAndTheOthersNamed) {
  EXPECT_EQ(refusal({"sum"}, {4, 5}),
            "--site sums.c:5: there is no addition or subtraction | additions are in sums.c:4");
  EXPECT_EQ(refusal({"other"}, {4}),
            "--site sums.c:4: there is no addition or subtraction | the code has no additions");
}

} // namespace
} // namespace faultline::hunt
