// Code that does not return in exact arithmetic.
#include "judging.h"

namespace faultline::test {
namespace {

using oracle::Certainty;
using oracle::Judgement;

constexpr const char* exits = "#include <stdlib.h>\ndouble f(double x) {\n  double h = (1 + x * x) - 1;\n"
                              "  if (h > 0)\n    exit(1);\n  return x;\n}";

TEST(Lifted, KnowsACodeThatDoesNotReturnInExactArithmetic) {
  exec::Session session = open_text(exits);
  const Judgement judgement = lifted(session, {0x1p-40});
  EXPECT_EQ(judgement.certainty, Certainty::unknown);
  ASSERT_TRUE(judgement.ends.has_value());
  EXPECT_EQ(*judgement.ends, exec::Outcome::exited);
  ASSERT_TRUE(judgement.flip.has_value());
  EXPECT_EQ(judgement.flip->lifted, 1);
  EXPECT_EQ(session.sites().sites[judgement.flip->branch.site].line, 4);
}

TEST(Lifted, AsksHigherPrecisionsWhereALowOneDoesNotReturn) {
  // With 128 bits k is 0 and the code exits; with 256 it is 2^-160.
  exec::Session session =
      open_text("#include <stdlib.h>\ndouble f(double x) { double h = (1 + x * x) - 1, k = (1 + x * x "
                "* (x * x)) - 1; if (h > 0 && k == 0) exit(1); return 1 + h; }");
  const Judgement judgement = lifted(session, {0x1p-40});
  EXPECT_EQ(judgement.certainty, Certainty::known) << judgement.why_unknown;
  EXPECT_FALSE(judgement.ends.has_value());
}

// sqrt(x) * sqrt(x) - x is 0, and what it is in any precision is that precision's rounding.
struct Tie {
  std::string name, test;
};
void PrintTo(const Tie& tie, std::ostream* stream) { *stream << tie.name; }
class Ties : public testing::TestWithParam<Tie> {};

constexpr double squares[] = {2.0, 3.0, 5.0, 0.1, 0.7, 2.4235988216325666e-11, 1.1506875452482745e-08};

TEST_P(Ties, AreNeverDecidedByRounding) {
  exec::Session session =
      open_text("#include <math.h>\n#include <stdlib.h>\ndouble f(double x) { double s = sqrt(x), d = s "
                "* s - x; if (" +
                GetParam().test + ") exit(1); return d; }");
  for (double x : squares)
    if (session.run({x}).outcome == exec::Outcome::returned)
      EXPECT_FALSE(lifted(session, {x}).ends.has_value()) << x;
}

INSTANTIATE_TEST_SUITE_P(All, Ties,
                         testing::Values(Tie{"less", "d < 0"}, Tie{"greater", "d > 0"}, Tie{"differs", "d != 0"}),
                         [](const auto& info) { return info.param.name; });

TEST(Lifted, KnowsTheEndThatAnExactZeroLeadsTo) {
  // Cholesky's factor of a singular matrix.
  exec::Session session =
      open_text("#include <math.h>\n#include <stdlib.h>\ndouble f(double x) { double s = sqrt(x), d = x "
                "- s * s; if (d <= 0) exit(1); return d; }");
  int known = 0;
  for (double x : squares)
    if (session.run({x}).outcome == exec::Outcome::returned)
      known += lifted(session, {x}).ends.has_value();
  EXPECT_GT(known, 0);
}

} // namespace
} // namespace faultline::test
