// Calls of constants: those that would be rounded stay operations, the others become the numbers they are.
#include "../session_fixture.h"

namespace faultline::test {
namespace {

using ops::Op;

struct Constant {
  std::string name, expression;
  Op op;
  int count;
  std::string ending = ".c";
};
void PrintTo(const Constant& constant, std::ostream* stream) { *stream << constant.name; }
class CallOfConstants : public testing::TestWithParam<Constant> {};

TEST_P(CallOfConstants, IsAnOperationIfItRounds) {
  const std::string head = GetParam().ending == ".c" ? "#include <math.h>\n" : "#include <cmath>\n";
  exec::Session session =
      open_text(head + "double f(double x) { return x * (" + GetParam().expression + "); }", GetParam().ending);
  const exec::Run run = consistent_run(session, {0.7L});
  ASSERT_EQ(run.outcome, exec::Outcome::returned);
  EXPECT_EQ(Tape(run, session.sites()).count(GetParam().op), GetParam().count);
}

INSTANTIATE_TEST_SUITE_P(All, CallOfConstants,
                         testing::Values(Constant{"square_root", "sqrt(5.0)", Op::sqrt, 1},
                                         Constant{"logarithm", "log(2.0)", Op::log, 1},
                                         Constant{"float", "expf(1.0f)", Op::exp, 1},
                                         Constant{"of_cxx", "std::log(2.0)", Op::log, 1, ".cpp"},
                                         Constant{"of_an_integer", "sqrt(2)", Op::sqrt, 1},
                                         Constant{"exact_square_root", "sqrt(6.25)", Op::sqrt, 0},
                                         Constant{"exact_power", "pow(2.0, 10.0)", Op::pow, 0},
                                         Constant{"exponential_of_zero", "exp(0.0)", Op::exp, 0},
                                         Constant{"exact_by_nature", "floor(2.5) + fabs(-0.1)", Op::floor, 0}),
                         [](const auto& info) { return info.param.name; });

// The exact run then has more digits than a double holds.
TEST(CallOfConstants, HasNoRoundingInTheExactRun) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) { return x * sqrt(5.0); }");
  const long double square = session.lift({1}, 200).outputs.at(0).to_long_double();
  EXPECT_LT(std::fabs(square - std::sqrt(5.0L)), 1e-18L);
  EXPECT_NE(square, (long double)(std::sqrt(5.0)));
}

TEST(CallOfConstants, InAnInitialiserIsTheNumberThatItWas) {
  exec::Session session = open_text(
      "#include <cmath>\nstatic const double root = std::sqrt(5.0);\ndouble f(double x) { return x * root; }", ".cpp");
  expect_same(session.run({2}).outputs[0].value, 2 * std::sqrt(5.0));
}

} // namespace
} // namespace faultline::test
