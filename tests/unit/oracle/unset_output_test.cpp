// Outputs that the code does not set in exact arithmetic.
#include "judging.h"

namespace faultline::test {
namespace {

using oracle::Certainty;
using oracle::Judgement;

// At h, which is 0 when it is rounded and positive when it is not, the output is left alone.
std::string leaves(const std::string& otherwise) {
  return "#include <math.h>\n#include <string.h>\nvoid f(double x, double *y) {\n  double h = (1 + x * x) - 1;\n"
         "  if (h > 0) {\n    " +
         otherwise + "\n    return;\n  }\n  *y = x + 3;\n}";
}

TEST(Lifted, KnowsThatAnOutputIsNotSetInExactArithmetic) {
  exec::Session session = open_text(leaves(""));
  const Judgement judgement = lifted(session, {0x1p-40});
  EXPECT_EQ(judgement.certainty, Certainty::known) << judgement.why_unknown;
  ASSERT_EQ(judgement.outputs.size(), 1u);
  EXPECT_TRUE(judgement.outputs[0].unset);
  ASSERT_TRUE(judgement.flip.has_value());
  EXPECT_EQ(judgement.flip->lifted, 1);
  EXPECT_FALSE(lifted(session, {0x1p-20}).outputs.at(0).unset) << "no run sets it there";
}

TEST(Lifted, TellsAZeroThatIsSetFromNone) {
  for (const char* sets :
       {"*y = 0;", "*y = -0.0;", "memset(y, 0, sizeof *y);", "long long z = 0; memcpy(y, &z, sizeof z);"}) {
    exec::Session session = open_text(leaves(sets));
    const Judgement judgement = lifted(session, {0x1p-40});
    EXPECT_EQ(judgement.certainty, Certainty::known) << judgement.why_unknown;
    ASSERT_EQ(judgement.outputs.size(), 1u);
    EXPECT_FALSE(judgement.outputs[0].unset) << sets;
    EXPECT_EQ(judgement.outputs[0].reference.to_double(), 0);
  }
}

TEST(Lifted, DoesNotSayThatAnOutputIsUnsetWhereOnlyThePrecisionMakesItSo) {
  // s * s - x is 0, and what it is in any precision is that precision's rounding.
  exec::Session session =
      open_text("#include <math.h>\nvoid f(double x, double *y) { double s = sqrt(x), d = s * s - x; "
                "if (d >= 0) *y = 1 + x; }");
  for (const double x : {2.0, 3.0, 5.0, 0.1, 0.7}) {
    const Judgement judgement = lifted(session, {x});
    for (const oracle::OutputJudgement& output : judgement.outputs)
      EXPECT_FALSE(output.unset) << x;
  }
}

} // namespace
} // namespace faultline::test
