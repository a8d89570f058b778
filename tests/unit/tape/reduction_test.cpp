#include "reading.h"

#include "tape/intended.h"
#include "tape/path.h"

namespace faultline::test {
namespace {

using ops::Op;

std::vector<Op> steps(const std::string& body, double x) {
  exec::Session session = open_text("#include <math.h>\nstatic volatile double shift = 0x1.8p52;\n"
                                    "double f(double x) { " +
                                    body + " }");
  const tape::Tape tape = read(session, {x});
  tape::note_intended_roundings(session, tape);
  std::vector<Op> found;
  for (const uint32_t record : tape::reduction_steps(tape))
    found.push_back(tape.site(record).op);
  return found;
}

TEST(ReductionStep, IsARoundingWhoseMultipleIsTakenOffItsSource) {
  EXPECT_EQ(steps("double k = rint(x / 3.14); return x - k * 3.14;", 20), std::vector{Op::rint});
  EXPECT_EQ(steps("double k = rint(x * 0.318); return fma(-k, 3.14, x);", 20), std::vector{Op::rint});
  EXPECT_EQ(steps("double k = x * 0.318 + shift; k -= shift; return (x - k * 3.14) - k * 1e-9;", 20),
            std::vector{Op::round_add});
  EXPECT_EQ(steps("int k = (int)floor(x * 0.318 + 0.5); return x - k * 3.14;", 20),
            (std::vector{Op::floor, Op::to_int}));
}

TEST(ReductionStep, IsNotARoundingThatIsTheResult) {
  EXPECT_EQ(steps("return rint(x / 3.14) * 3.14;", 20), std::vector<Op>{});
  EXPECT_EQ(steps("return floor(x) + sqrt(x);", 20), std::vector<Op>{});
}

} // namespace
} // namespace faultline::test
