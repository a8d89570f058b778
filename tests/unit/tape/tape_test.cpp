// What every reader builds on: the values that a tape gives for records, constants and decisions.
#include "reading.h"

#include "tape/adjoint.h"

namespace faultline::test {
namespace {

using ops::Op;

template <typename Float> void expect_values(const std::string& type) {
  exec::Session session = open_text("#define T " + type + "\nT f(T x) { return x * (T)0.1L + (T)3; }");
  const Float x = Float(1) / 3;
  tape::Tape tape = read(session, {x});
  const Float product = x * Float(0.1L), sum = product + 3;
  const uint32_t multiplication = find(tape, Op::fmul), addition = find(tape, Op::fadd);
  EXPECT_EQ(tape.inputs(), 1u);
  EXPECT_EQ(tape.exact(1), x);
  EXPECT_EQ(tape.value(1), double(x));
  EXPECT_EQ(tape.exact(multiplication), product);
  EXPECT_EQ(tape.exact(addition), sum);
  EXPECT_EQ(tape.value(addition), double(sum));
  EXPECT_EQ(tape.operand(multiplication, 0), 1u);
  EXPECT_EQ(tape.operand(addition, 0), multiplication);
  ASSERT_TRUE(runtime::is_constant(tape.operand(multiplication, 1)));
  EXPECT_EQ(tape.exact(tape.operand(multiplication, 1)), Float(0.1L));
  EXPECT_EQ(tape.value(tape.operand(multiplication, 1)), double(Float(0.1L)));
  EXPECT_EQ(tape.exact(tape.operand(addition, 1)), 3);
  EXPECT_EQ(output_record(tape), addition);
}

TEST(Tape, HasTheValuesOfAFloatRun) { expect_values<float>("float"); }
TEST(Tape, HasTheValuesOfADoubleRun) { expect_values<double>("double"); }
TEST(Tape, HasTheValuesOfALongDoubleRun) { expect_values<long double>("long double"); }

TEST(Tape, HasTheIntegersOfComparisonsAndConversions) {
  exec::Session session = open_text("double f(double x) { long n = (long)(x * 3); return (x > 2 ? 5 : x) + n; }");
  tape::Tape tape = read(session, {-2.5L});
  EXPECT_EQ(tape.exact(find(tape, Op::to_int)), -7);
  EXPECT_EQ(tape.value(find(tape, Op::to_int)), -7);
  EXPECT_EQ(tape.exact(find(tape, Op::cmp_ogt)), 0);
  tape = read(session, {0x1p60L});
  EXPECT_EQ(tape.exact(find(tape, Op::to_int)), 0x1.8p61L);
  EXPECT_EQ(tape.exact(find(tape, Op::cmp_ogt)), 1);
}

TEST(Tape, KeepsSixtyFourBitIntegersExactly) {
  exec::Session session = open_text("double f(long double x) { long n = (long)(x + 1); return (double)n * 2; }");
  tape::Tape tape = read(session, {0x1p62L + 1});
  EXPECT_EQ(tape.exact(find(tape, Op::to_int)), 0x1p62L + 2);
}

// ATOMU, figure 1.
TEST(Conditions, AreThoseOfThePapersExample) {
  exec::Session session = open_files({example("one_minus_cos.c")}, "one_minus_cos");
  tape::Tape tape = read(session, {1e-7});
  const uint32_t subtraction = find(tape, Op::fsub);
  EXPECT_NEAR(tape::condition(tape, subtraction) / 2.0016e14, 1, 1e-4);
  EXPECT_NEAR(tape::condition(tape, find(tape, Op::cos)) / 1e-14, 1, 1e-2);
  EXPECT_EQ(tape::condition(tape, find(tape, Op::fmul)), 1);
  EXPECT_EQ(tape::condition(tape, find(tape, Op::fdiv)), 1);
  std::vector<tape::SiteCondition> worst;
  tape::worst_conditions(tape, worst);
  ASSERT_EQ(worst.size(), session.sites().sites.size());
  const tape::SiteCondition& at = worst[tape.record(subtraction).site];
  EXPECT_EQ(at.record, subtraction);
  EXPECT_EQ(at.condition, tape::condition(tape, subtraction));
  EXPECT_EQ(worst[tape.record(find(tape, Op::fmul)).site].record, 0u) << "a multiplication is never unstable";
}

TEST(Conditions, OfALoopAreTheWorstOfItsExecutions) {
  exec::Session session = open_text("double f(double x) { double s = 0;\n#pragma clang loop unroll(disable) "
                                    "vectorize(disable)\nfor (int i = 0; i < 10; i++) s += (i + 0.5) - x; return s; }");
  tape::Tape tape = read(session, {6.4999});
  uint32_t worst = 0;
  for (int i = 0; i < 10; ++i) {
    const uint32_t record = find(tape, Op::fsub, i);
    if (worst == 0 || tape::condition(tape, record) > tape::condition(tape, worst))
      worst = record;
  }
  ASSERT_EQ(tape.record(find(tape, Op::fsub, 0)).site, tape.record(find(tape, Op::fsub, 9)).site);
  EXPECT_NEAR(tape.value(worst), 1e-4, 1e-10);
  EXPECT_NEAR(tape::condition(tape, worst), 6.5e4, 1);
  const tape::SiteCondition found = tape::worst_condition(tape, tape.record(worst).site);
  EXPECT_EQ(found.record, worst);
  std::vector<tape::SiteCondition> all;
  tape::worst_conditions(tape, all);
  EXPECT_EQ(all[tape.record(worst).site].record, worst);
  EXPECT_EQ(tape::worst_condition(tape, 0).record, 0u);
}

TEST(TapeDeathTest, OfAnEarlierRunIsNotRead) {
  exec::Session session = open_text("double f(double x) { return x / 3; }");
  const tape::Tape first = read(session, {1});
  EXPECT_EQ(first.value(output_record(first)), 1.0 / 3);
  session.lift({2}, 128); // leaves the tape alone
  EXPECT_EQ(first.outputs().size(), 1u);
  read(session, {4});
  EXPECT_DEATH((void)first.value(1), "a tape was read after another run had begun");
  EXPECT_DEATH((void)first.outputs(), "a tape was read after another run had begun");
}

} // namespace
} // namespace faultline::test
