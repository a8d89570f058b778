// Code compiled for any rounding mode leaves the same tape as plain code.
#include "reading.h"

namespace faultline::test {
namespace {

std::vector<ops::Op> operations(const std::vector<std::string>& flags, const exec::Input& input) {
  exec::Session session = open_text(R"(
    #include <math.h>
    double f(double x, float y, int n) {
      double a = x + y * 3, b = fmod(a, 2) - sqrt(x) / n;
      float c = (float)a * y;
      if (a < b || c != y)
        b += floor(a) + (int)b + rint(x) + fabs(c);
      return a * b + (unsigned)n;
    })",
                                    ".c", "f", {.flags = flags});
  const tape::Tape tape = read(session, input);
  std::vector<ops::Op> operations;
  for (uint32_t index = 1; index < tape.size(); ++index)
    operations.push_back(tape.site(index).op);
  return operations;
}

TEST(Constrained, OperationsAreThePlainOnes) {
  const exec::Input input{1.7, 2.25, 3};
  // Without an optimiser, which knows less of constrained operations and leaves more of them.
  const std::vector<ops::Op> plain = operations({"-O0", "-ffp-contract=off"}, input);
  EXPECT_EQ(operations({"-O0", "-ffp-contract=off", "-frounding-math"}, input), plain);
  EXPECT_EQ(operations({"-O0", "-ffp-contract=off", "-ffp-model=strict"}, input), plain);
  EXPECT_GE(plain.size(), 20u);
}

} // namespace
} // namespace faultline::test
