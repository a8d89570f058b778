#include "constraint/tape_terms.h"

#include "../session_fixture.h"
#include "constraint/evaluate.h"
#include "numeric/random.h"

namespace faultline::constraint {
namespace {

InputRange a_double(double low, double high) {
  return {"x", true, numeric::Format::binary64, numeric::Format::binary64, low, high};
}

// The condition of a path, asked of another input, must say what a run of that input says.
class Agreement {
public:
  Agreement(const std::string& text, std::vector<InputRange> inputs, const std::string& ending = ".c")
      : session_(test::open_text(text, ending)), inputs_(std::move(inputs)) {}

  // How many of the other inputs left the path exactly at the last decision of the run of `input`.
  int check(const exec::Input& input, const std::vector<exec::Input>& others) {
    const exec::Run& run = session_.run(input);
    const tape::Tape tape(run, session_.sites(), input.size());
    const auto decisions = tape::path(tape);
    EXPECT_FALSE(decisions.empty());
    const size_t last = decisions.size() - 1;
    const std::vector<int64_t> seen{decisions[last].outcome};
    const auto condition = path_condition(tape, decisions, {last, seen}, inputs_, Leaves::as_they_were);
    EXPECT_TRUE(condition);
    EXPECT_FALSE(satisfies(condition->system, model_of(*condition, inputs_, input)));
    int left = 0;
    for (const exec::Input& other : others) {
      const exec::Run& another = session_.run(other);
      const auto path = tape::path(tape::Tape(another, session_.sites(), other.size()));
      bool leaves_there = path.size() > last && path[last].site == decisions[last].site &&
                          path[last].outcome != decisions[last].outcome;
      for (size_t i = 0; leaves_there && i < last; ++i)
        leaves_there = path[i].site == decisions[i].site && path[i].outcome == decisions[i].outcome;
      EXPECT_EQ(satisfies(condition->system, model_of(*condition, inputs_, other)), leaves_there) << other[0];
      left += leaves_there;
    }
    return left;
  }

private:
  exec::Session session_;
  std::vector<InputRange> inputs_;
};

std::vector<exec::Input> samples(size_t inputs, double low, double high) {
  numeric::Rng rng(21);
  std::vector<exec::Input> all(300);
  for (exec::Input& input : all)
    for (size_t i = 0; i < inputs; ++i)
      input.push_back((long double)(low + (high - low) * rng.uniform()));
  return all;
}

TEST(PathCondition, AgreesWithRunsOnArithmeticAndComparisons) {
  Agreement agreement("double f(double x, double y) { if (x * y - 1 > y / 3) { if (x + y < 4) return 1; } return 0; }",
                      {a_double(-10, 10), a_double(-10, 10)});
  EXPECT_GT(agreement.check({5.0L, 2.0L}, samples(2, -10, 10)), 3);
}

TEST(PathCondition, AgreesWithRunsOnConversionsToIntegers) {
  Agreement agreement("double f(double x) { int n = (int)(x * 3); return n; }", {a_double(-10, 10)});
  EXPECT_GT(agreement.check({1.0L}, samples(1, -10, 10)), 100);
}

TEST(PathCondition, AgreesWithRunsInSinglePrecisionAndMixed) {
  Agreement agreement("double f(float x, double y) { float z = x + (float)y; return z * 2.0 < y ? 1 : 0; }",
                      {{"x", true, numeric::Format::binary32, numeric::Format::binary32, -10, 10}, a_double(-10, 10)});
  std::vector<exec::Input> others = samples(2, -10, 10);
  for (exec::Input& other : others)
    other[0] = float(other[0]);
  EXPECT_GT(agreement.check({1.0L, 1.0L}, others), 3);
}

TEST(PathCondition, AgreesWithRunsOnFunctionsOfLibm) {
  Agreement agreement("#include <math.h>\ndouble f(double x) { return exp(x) * sqrt(fabs(x)) < 5 + floor(x); }",
                      {a_double(-10, 10)});
  EXPECT_GT(agreement.check({3.0L}, samples(1, -10, 10)), 3);
}

TEST(PathCondition, InputsOutsideOfTheirRangeDoNotCount) {
  exec::Session session = test::open_text("double f(double x) { return x > 3; }");
  const exec::Run& run = session.run({1.0L});
  const tape::Tape tape(run, session.sites(), 1);
  const auto decisions = tape::path(tape);
  const std::vector<InputRange> inputs{a_double(-1, 5)};
  const std::vector<int64_t> seen{decisions[0].outcome};
  const auto condition = path_condition(tape, decisions, {0, seen}, inputs, Leaves::as_they_were);
  EXPECT_TRUE(satisfies(condition->system, model_of(*condition, inputs, std::vector<long double>{4})));
  EXPECT_FALSE(satisfies(condition->system, model_of(*condition, inputs, std::vector<long double>{7})));
}

TEST(PathCondition, IsRefusedWhenItIsTooLong) {
  exec::Session session =
      test::open_text("double f(double x) { for (int i = 0; i < 1000; i++) x = x * 0.5 + i; return x > 3 ? x : 1; }");
  const exec::Run& run = session.run({1.0L});
  const tape::Tape tape(run, session.sites(), 1);
  const auto decisions = tape::path(tape);
  const std::vector<InputRange> inputs{a_double(-1, 5)};
  const std::vector<int64_t> seen{decisions.back().outcome};
  EXPECT_FALSE(path_condition(tape, decisions, {decisions.size() - 1, seen}, inputs, Leaves::as_they_were, 100));
  EXPECT_TRUE(path_condition(tape, decisions, {decisions.size() - 1, seen}, inputs, Leaves::as_they_were));
}

} // namespace
} // namespace faultline::constraint
