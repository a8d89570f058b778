// Operations on constants: those that round stay operations, the others become the numbers they are. A conversion of
// an integer that rounds is an operation, too.
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
class OperationOnConstants : public testing::TestWithParam<Constant> {};

TEST_P(OperationOnConstants, IsAnOperationIfItRounds) {
  const std::string head = GetParam().ending == ".c" ? "#include <math.h>\n" : "#include <cmath>\n";
  exec::Session session =
      open_text(head + "double f(double x) { return x * (" + GetParam().expression + "); }", GetParam().ending);
  const exec::Run run = consistent_run(session, {0.7L});
  ASSERT_EQ(run.outcome, exec::Outcome::returned);
  EXPECT_EQ(Tape(run, session.sites()).count(GetParam().op), GetParam().count);
}

INSTANTIATE_TEST_SUITE_P(
    All, OperationOnConstants,
    testing::Values(
        Constant{"square_root", "sqrt(5.0)", Op::sqrt, 1}, Constant{"logarithm", "log(2.0)", Op::log, 1},
        Constant{"float", "expf(1.0f)", Op::exp, 1}, Constant{"of_cxx", "std::log(2.0)", Op::log, 1, ".cpp"},
        Constant{"of_an_integer", "sqrt(2)", Op::sqrt, 1}, Constant{"exact_square_root", "sqrt(6.25)", Op::sqrt, 0},
        Constant{"exact_power", "pow(2.0, 10.0)", Op::pow, 0}, Constant{"exponential_of_zero", "exp(0.0)", Op::exp, 0},
        Constant{"exact_by_nature", "floor(2.5) + fabs(-0.1)", Op::floor, 0},
        Constant{"quotient", "5.0 / 9.0", Op::fdiv, 1}, Constant{"exact_quotient", "1.0 / 4.0", Op::fdiv, 0},
        Constant{"infinity", "1.0 / 0.0", Op::fdiv, 0}, Constant{"number_of_a_format", "(float)0.1", Op::fptrunc, 0},
        Constant{"inlined", "std::sqrt(5.0f)", Op::sqrt, 1, ".cpp"}),
    [](const auto& info) { return info.param.name; });

// The exact run then has more digits than a double holds.
TEST(OperationOnConstant, HasNoRoundingInTheExactRun) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) { return x * sqrt(5.0); }");
  const long double square = session.lift({1}, 200).outputs.at(0).to_long_double();
  EXPECT_LT(std::fabs(square - std::sqrt(5.0L)), 1e-18L);
  EXPECT_NE(square, (long double)(std::sqrt(5.0)));
}

struct Folded {
  std::string name, body;
  Op op;
  int count;
};
void PrintTo(const Folded& folded, std::ostream* stream) { *stream << folded.name; }
class OptimisedConstants : public testing::TestWithParam<Folded> {};

TEST_P(OptimisedConstants, AreOperands) {
  exec::Session session = open_text("#include <math.h>\nstatic double third(double a) { return a / 3; }\n"
                                    "double f(double x) { " +
                                    GetParam().body + " }");
  const exec::Run run = consistent_run(session, {0.7L});
  ASSERT_EQ(run.outcome, exec::Outcome::returned);
  EXPECT_EQ(Tape(run, session.sites()).count(GetParam().op), GetParam().count);
}

INSTANTIATE_TEST_SUITE_P(
    All, OptimisedConstants,
    testing::Values(
        Folded{"sum_in_a_loop", "double s = 0; for (int i = 0; i < 3; i++) s += 0.1; return x * s;", Op::fadd, 3},
        Folded{"counter", "double s = 0; for (int i = 1; i < 8; i++) s += 1.0 / i; return x * s;", Op::fdiv, 4},
        Folded{"argument", "return x * third(1);", Op::fdiv, 1},
        Folded{"constant_variable", "const double t = 1.0 / 3.0; return x * t;", Op::fdiv, 1},
        Folded{"table", "static const double c[2] = {0.1, 0.7}; return x * (c[0] * c[1]);", Op::fmul, 2},
        Folded{"array", "double c[] = {0.1, 0.7}; return x * (c[0] * c[1]);", Op::fmul, 2},
        Folded{"initialiser", "static const double t = 1.0 / 3.0; return x * t;", Op::fdiv, 1}),
    [](const auto& info) { return info.param.name; });

struct Conversion {
  std::string name, type, result;
  int rounds;
};
void PrintTo(const Conversion& conversion, std::ostream* stream) { *stream << conversion.name; }
class ConversionOfAnInteger : public testing::TestWithParam<Conversion> {};

TEST_P(ConversionOfAnInteger, IsAnOperationIfItMayRound) {
  const std::string& result = GetParam().result;
  exec::Session session =
      open_text(result + " f(" + GetParam().type + " n, " + result + " x) { return (" + result + ")n - x; }");
  const exec::Run run = consistent_run(session, {5, 2});
  ASSERT_EQ(run.outcome, exec::Outcome::returned);
  EXPECT_EQ(Tape(run, session.sites()).count(Op::fptrunc), GetParam().rounds);
}

INSTANTIATE_TEST_SUITE_P(All, ConversionOfAnInteger,
                         testing::Values(Conversion{"int_to_float", "int", "float", 1},
                                         Conversion{"unsigned_to_float", "unsigned", "float", 1},
                                         Conversion{"short_to_float", "short", "float", 0},
                                         Conversion{"int_to_double", "int", "double", 0},
                                         Conversion{"long_to_double", "long", "double", 1},
                                         Conversion{"unsigned_long_to_double", "unsigned long", "double", 1},
                                         Conversion{"long_to_long_double", "long", "long double", 0}),
                         [](const auto& info) { return info.param.name; });

TEST(ConversionOfAnInteger, HasItsExactValueInTheExactRun) {
  exec::Session session = open_text("float f(int n, float x) { return (float)n - x; }");
  EXPECT_EQ(session.lift({16777217, 16777216}, 200).outputs.at(0).to_long_double(), 1);
}

TEST(OperationOnConstant, InAnInitialiserIsTheNumberThatItWas) {
  exec::Session session = open_text(
      "#include <cmath>\nstatic const double root = std::sqrt(5.0);\ndouble f(double x) { return x * root; }", ".cpp");
  expect_same(session.run({2}).outputs[0].value, 2 * std::sqrt(5.0));
}

} // namespace
} // namespace faultline::test
