// Data flow: whatever way a value takes through a program, the result is the machine's own, the tape leads from the
// output back to the inputs, and lifted execution carries the value in full precision.
#include "data_flow.h"

namespace faultline::test {
namespace {

TEST_P(EveryWay, GivesTheMachinesOwnResult) {
  exec::Run run = consistent_run(session, GetParam().input);
  ASSERT_EQ(run.outcome, exec::Outcome::returned);
  expect_same(run.outputs[0].value, GetParam().formula.native(GetParam().input));
}

TEST_P(EveryWay, LeadsFromTheOutputToEveryInput) {
  exec::Run run = session.run(GetParam().input);
  ASSERT_NE(run.outputs[0].record, 0u);
  Tape tape(run, session.sites());
  for (uint32_t i = 0; i < session.target().inputs.size(); ++i)
    if (session.target().inputs[i].type.floating)
      EXPECT_TRUE(tape.reaches_input(run.outputs[0].record, i)) << "input " << i;
}

TEST_P(EveryWay, KeepsFullPrecisionWhenLifted) {
  exec::LiftedRun lifted = session.lift(GetParam().input, 256);
  ASSERT_EQ(lifted.outcome, exec::Outcome::returned);
  Real exact = GetParam().formula.exact(GetParam().input);
  EXPECT_TRUE(agree(lifted.outputs.at(0), exact.big(), 240))
      << lifted.outputs[0].to_string(40) << " instead of " << exact.big().to_string(40);
}

std::vector<Way> control_ways() {
  return {
      {"loop_accumulation",
       ".c",
       "double f(double x, double y) { double s = 0; for (int i = 0; i < 10; i++) s = s * x + y; return s; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) {
         auto s = v[0] * 0;
         for (int i = 0; i < 10; i++)
           s = s * v[0] + v[1];
         return s;
       })},
      {"two_phis_that_swap",
       ".c",
       "double f(double x, double y, int n) { double a = x, b = y; for (int i = 0; i < n; i++) { double t = a + b / 3; "
       "a = b; b = t; } return a - b; }",
       {0.7L, 0.1L, 9},
       formula<double>([](auto v) {
         auto a = v[0], b = v[1];
         for (int i = 0; i < 9; i++) {
           auto t = a + b / 3;
           a = b;
           b = t;
         }
         return a - b;
       })},
      {"select",
       ".c",
       "double f(double x, double y) { double low = x < y ? x : y; double high = x < y ? y : x; return low / 3 - high "
       "/ 7; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) {
         auto low = v[0] < v[1] ? v[0] : v[1], high = v[0] < v[1] ? v[1] : v[0];
         return low / 3 - high / 7;
       })},
      {"switch_of_paths",
       ".c",
       "double f(double x, double y, int n) { double r; switch (n) { case 0: r = x; break; case 1: r = x / y; break; "
       "case 2: r = x * y / 3; break; "
       "case 3: r = x - y; break; default: r = 5; } return r / 7; }",
       {0.7L, 0.1L, 2},
       formula<double>([](auto v) { return v[0] * v[1] / 3 / 7; })},
      {"unoptimised_code",
       ".c",
       "double f(double x, double y) { double s = 0; for (int i = 0; i < 4; i++) { if (i % 2) s += x / 3; else s -= y "
       "/ 7; } return s; }",
       {0.7L, 0.1L},
       formula<double>([](auto v) {
         auto s = v[0] * 0;
         for (int i = 0; i < 4; i++)
           s = i % 2 ? s + v[0] / 3 : s - v[1] / 7;
         return s;
       }),
       {"-O0"}},
  };
}

INSTANTIATE_TEST_SUITE_P(Control, EveryWay, testing::ValuesIn(control_ways()), way_name);

} // namespace
} // namespace faultline::test
