// The way of an error and the parts that operations have in it: measured, so that they add up.
#include "../tape/reading.h"

#include "explain/cause.h"
#include "numeric/bigfloat.h"

#include <numeric>

namespace faultline::test {
namespace {

using ops::Op;

constexpr const char* one_minus_cos = "#include <math.h>\ndouble f(double x) {\n  double c = cos(x);\n  double d = 1 - "
                                      "c;\n  double s = x * x;\n  return d / s;\n}";

struct Sample {
  std::string name, text;
  exec::Input input;
};
void PrintTo(const Sample& sample, std::ostream* stream) { *stream << sample.name; }

class Errors : public testing::TestWithParam<Sample> {};

TEST_P(Errors, AreTheSumOfTheirParts) {
  exec::Session session = open_text(GetParam().text);
  const tape::Tape tape = read(session, GetParam().input);
  const tape::Replay exact = tape::replay(tape, 512);
  for (uint32_t index = 1; index < tape.size(); ++index) {
    if (ops::is_decision(tape.site(index).op))
      continue;
    const explain::Parts parts = explain::parts_of(tape, index, exact);
    // The operation's own rounding is what is left of recorded minus the operation at recorded operands.
    numeric::BigFloat operands[3], at(512);
    for (int i = 0; i < ops::arity(tape.site(index).op); ++i)
      operands[i] = numeric::BigFloat(tape.exact(tape.operand(index, i)), 512);
    if (ops::arity(tape.site(index).op) == 0)
      continue;
    ops::evaluate(tape.site(index).op, at.raw(), operands[0].raw(), operands[1].raw(), operands[2].raw());
    const double own = numeric::relative_error(tape.exact(index), at) * at.to_double();
    EXPECT_NEAR(std::fabs(parts.own.to_double()), std::fabs(own), 1e-12 * std::fabs(own) + 1e-100)
        << ops::name(tape.site(index).op);
  }
}

TEST_P(Errors, AreSharedOutWithoutRest) {
  exec::Session session = open_text(GetParam().text);
  const tape::Tape tape = read(session, GetParam().input);
  const std::vector<long double> own = explain::own_shares(tape, output_record(tape), tape::replay(tape, 512));
  EXPECT_NEAR(std::accumulate(own.begin(), own.end(), 0.0), 1, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(
    All, Errors,
    testing::Values(Sample{"small", one_minus_cos, {0.7}}, Sample{"large", one_minus_cos, {1e-7}},
                    Sample{"all_wrong", one_minus_cos, {1e-9}},
                    Sample{"quotients_and_powers",
                           "#include <math.h>\ndouble f(double x, double y) {\n  return pow(x + y, 2.5) / (x - y) + "
                           "atan2(x * y, x) * hypot(x, y) - fma(x, y, -x);\n}",
                           {1.1, 1.3}},
                    Sample{"a_loop",
                           "double f(double x) {\n  double s = 0;\n  for (int i = 0; i < 40; i++) s = s * x + "
                           "0.1;\n  return s;\n}",
                           {-0.93}}),
    [](const auto& info) { return info.param.name; });

TEST(Shares, GoToWhereTheErrorArose) {
  exec::Session session = open_text(one_minus_cos);
  const tape::Tape tape = read(session, {1e-7});
  const std::vector<long double> own = explain::own_shares(tape, output_record(tape), tape::replay(tape, 256));
  EXPECT_NEAR(own[find(tape, Op::cos)], 1, 1e-9);
  EXPECT_NEAR(own[find(tape, Op::fsub)], 0, 1e-9) << "it is exact";
}

TEST(Shares, OfAnOverflowAreItsMakers) {
  exec::Session session = open_text("double f(double x) {\n  double s = x * x;\n  return 1 / (s + 1) * x;\n}");
  const tape::Tape tape = read(session, {1e200});
  const std::vector<long double> own = explain::own_shares(tape, output_record(tape), tape::replay(tape, 256));
  EXPECT_EQ(own[find(tape, Op::fmul)], 1);
}

TEST(Shares, OfNoErrorAreNone) {
  exec::Session session = open_text("double f(double x) { return x * 2; }");
  const tape::Tape tape = read(session, {0.3});
  for (const long double share : explain::own_shares(tape, output_record(tape), tape::replay(tape, 256)))
    EXPECT_EQ(share, 0);
}

TEST(Chain, LeadsFromTheOutputToTheOrigin) {
  exec::Session session = open_text(one_minus_cos);
  const tape::Tape tape = read(session, {1e-7});
  const std::vector<explain::Link> way = explain::chain(tape, output_record(tape), tape::replay(tape, 256));
  ASSERT_EQ(way.size(), 3u);
  EXPECT_EQ(tape.site(way[0].record).op, Op::fdiv);
  EXPECT_EQ(tape.site(way[1].record).op, Op::fsub);
  EXPECT_EQ(tape.site(way[2].record).op, Op::cos);
  EXPECT_NEAR(way[1].growth, std::log2(7.9928e-4 / 0x1p-53), 0.01);
  EXPECT_NEAR(way[0].growth, 0, 0.01);
  EXPECT_NEAR(way[2].error, 3.9964e-18, 1e-22);
}

TEST(Chain, DoesNotLeadThroughAnAbsorbedOperand) {
  exec::Session session = open_text("#include <math.h>\ndouble f(double x) {\n  double bad = (x + 1e16) - 1e16;\n  "
                                    "return exp(x) + bad * 1e-30;\n}");
  const tape::Tape tape = read(session, {0.3});
  for (const explain::Link& link : explain::chain(tape, output_record(tape), tape::replay(tape, 256)))
    EXPECT_NE(tape.site(link.record).line, 3);
}

TEST(Chain, GoesBehindAPoleThatAnUnderflowLeadsTo) {
  exec::Session session =
      open_text("#include <math.h>\ndouble f(double x) {\n  double s = x * x;\n  return log(s);\n}");
  const tape::Tape tape = read(session, {1e-200});
  const std::vector<explain::Link> way = explain::chain(tape, output_record(tape), tape::replay(tape, 256));
  ASSERT_EQ(way.size(), 2u);
  EXPECT_EQ(way[0].growth, 0) << "the logarithm does what it should";
  EXPECT_EQ(tape.site(way[1].record).op, Op::fmul);
}

} // namespace
} // namespace faultline::test
