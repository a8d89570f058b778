// The arithmetic form of the checks, over all values of a tiny format; and on tapes.
#include "constraint/tape_terms.h"

#include "../session_fixture.h"
#include "constraint/evaluate.h"
#include "numeric/random.h"

#include <algorithm>
#include <cmath>

namespace faultline::constraint {
namespace {

using goal::Check;
using ops::Op;

constexpr BinaryFormat tiny{3, 4};
constexpr int most_bits = 8; // more than the exponents of the format differ, and more than it has one power for

// As goal/exception.h says it: by how much the exponents differ. Negative: not at all.
int exponent_form(Check check, Bits a, Bits b, Bits result) {
  if (!tiny.is_normal(a) || !tiny.is_normal(b))
    return -1000;
  const auto exponent = [](Bits bits) { return std::ilogb(numeric::double_of(bits, tiny)); };
  if (check == Check::precision_loss)
    return std::abs(exponent(a) - exponent(b));
  if (tiny.is_zero(result))
    return 1000;
  return tiny.is_infinite(result) ? -1000 : std::max(exponent(a), exponent(b)) - exponent(result);
}

struct Asked {
  System system;
  Asked(Check check, Op op, int bits, Large large, Left left) {
    const Term a = system.variable("a", float_sort(tiny)), b = system.variable("b", float_sort(tiny));
    system.assert_true(inaccuracy(system, check, bits, a, b, system.operation(op, a, b), large, left));
  }
  bool holds(Bits a, Bits b) const { return satisfies(system, {a, b}); }
};

template <typename Visit> void for_all_pairs(Visit visit) {
  for (Bits a = 0; a < Bits(1) << tiny.width(); ++a)
    for (Bits b = 0; b < Bits(1) << tiny.width(); ++b)
      visit(a, b);
}

struct Case {
  Check check;
  Op op;
};

class ArithmeticForm : public testing::TestWithParam<Case> {};

TEST_P(ArithmeticForm, ImpliesTheGoalAndIsImpliedByOneBitMore) {
  const auto [check, op] = GetParam();
  int held = 0;
  for (int bits = 1; bits <= most_bits; ++bits) {
    const Asked first(check, op, bits, Large::first, Left::anything),
        second(check, op, bits, Large::second, Left::anything), either(check, op, bits, Large::either, Left::anything);
    for_all_pairs([&](Bits a, Bits b) {
      const int reached = exponent_form(check, a, b, apply(op, tiny, a, b));
      const bool any = either.holds(a, b);
      ASSERT_EQ(any, first.holds(a, b) || second.holds(a, b));
      if (any) {
        ASSERT_GE(reached, bits);
      }
      if (reached >= bits + 1) {
        ASSERT_TRUE(any) << numeric::double_of(a, tiny) << " " << numeric::double_of(b, tiny) << " " << bits;
      }
      held += any;
    });
  }
  EXPECT_GT(held, 100);
}

TEST_P(ArithmeticForm, CanLeaveNothingOrSomething) {
  const auto [check, op] = GetParam();
  if (check != Check::cancellation)
    return;
  const Asked anything(check, op, 2, Large::first, Left::anything), nothing(check, op, 2, Large::first, Left::nothing),
      something(check, op, 2, Large::first, Left::something);
  int zeros = 0, others = 0;
  for_all_pairs([&](Bits a, Bits b) {
    const bool zero = tiny.is_zero(apply(op, tiny, a, b)), any = anything.holds(a, b);
    ASSERT_EQ(nothing.holds(a, b), any && zero);
    ASSERT_EQ(something.holds(a, b), any && !zero);
    zeros += any && zero;
    others += any && !zero;
  });
  EXPECT_GT(zeros, 0);
  EXPECT_GT(others, 0);
}

// One variant of a cancellation is enough: it misses what has the other operand exactly at the threshold.
TEST_P(ArithmeticForm, OfACancellationHardlyDependsOnTheOperand) {
  const auto [check, op] = GetParam();
  if (check != Check::cancellation)
    return;
  for (int bits = 2; bits <= most_bits; ++bits) {
    const Asked first(check, op, bits - 1, Large::first, Left::anything),
        second(check, op, bits, Large::second, Left::anything);
    for_all_pairs([&](Bits a, Bits b) {
      if (second.holds(a, b)) {
        ASSERT_TRUE(first.holds(a, b));
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(All, ArithmeticForm,
                         testing::Values(Case{Check::precision_loss, Op::fadd}, Case{Check::precision_loss, Op::fsub},
                                         Case{Check::cancellation, Op::fadd}, Case{Check::cancellation, Op::fsub}));

InputRange a_double(double low, double high) {
  return {"x", true, numeric::Format::binary64, numeric::Format::binary64, low, high};
}

// Inputs near a cancellation, and not.
std::vector<exec::Input> samples() {
  numeric::Rng rng(5);
  std::vector<exec::Input> all(400);
  for (exec::Input& input : all) {
    for (int i = 0; i < 3; ++i)
      input.push_back(std::ldexp((long double)rng.uniform(-1, 1), int(rng.below(30)) - 20));
    if (rng.coin())
      input[2] = double(-(input[0] + input[1]) * (1 + std::ldexp(1.0L, -int(rng.below(30)))));
  }
  return all;
}

TEST(InaccuracyCondition, SaysOfOtherInputsWhatTheirRunsSay) {
  exec::Session session = test::open_text(
      "double f(double x, double y, double z) {\n  double s = x + y;\n  if (s > 0.001) s = s + z;\n  return s;\n}");
  const std::vector<InputRange> inputs(3, a_double(-1e6, 1e6));
  const exec::Run& run = session.run({1, 2, 3});
  const tape::Tape tape(run, session.sites(), 3);
  const auto found = tape::additions(tape);
  ASSERT_EQ(found.size(), 2u);
  const int64_t way = tape::path(tape).at(0).outcome;
  const std::vector<WantedInaccuracy> wanted{
      {{Check::precision_loss, found[0].place, 1, 3}, Large::either, Left::anything},
      {{Check::cancellation, found[1].place, 1, 8}, Large::either, Left::anything}};
  const auto condition = inaccuracy_condition(tape, wanted, inputs, Leaves::as_they_were);
  ASSERT_TRUE(condition);
  int held = 0;
  for (const exec::Input& input : samples()) {
    const exec::Run& another = session.run(input);
    const tape::Tape other(another, session.sites(), 3);
    const auto happened = [&](int more) { // on the same path
      return tape::path(other).at(0).outcome == way && std::ranges::all_of(wanted, [&](WantedInaccuracy one) {
               one.goal.bits += more;
               return goal::happened(one.goal, other);
             });
    };
    const bool holds = satisfies(condition->system, model_of(*condition, inputs, input));
    if (holds) {
      EXPECT_TRUE(happened(0));
    }
    if (happened(1)) {
      EXPECT_TRUE(holds);
    }
    held += holds;
  }
  EXPECT_GT(held, 5);
}

TEST(InaccuracyCondition, IsRefusedWhereTheRunDidNotCome) {
  exec::Session session = test::open_text("double f(double x, double y) { return x + y; }");
  const exec::Run& run = session.run({1, 2});
  const tape::Tape tape(run, session.sites(), 2);
  const std::vector<InputRange> inputs(2, a_double(-1, 1));
  const uint32_t place = tape::additions(tape).at(0).place;
  const std::vector<WantedInaccuracy> second{{{Check::cancellation, place, 2, 40}, {}, {}}};
  EXPECT_FALSE(inaccuracy_condition(tape, second, inputs, Leaves::as_they_were));
  EXPECT_FALSE(inaccuracy_condition(tape, {}, inputs, Leaves::as_they_were));
}

TEST(InaccuracyCondition, InputsWithOneValueAreConstants) {
  exec::Session session = test::open_text("double f(double x, double y) { return x * 3 + y; }");
  const exec::Run& run = session.run({1, 2});
  const tape::Tape tape(run, session.sites(), 2);
  const std::vector<InputRange> inputs{a_double(1, 1), a_double(-10, 10)};
  const std::vector<WantedInaccuracy> wanted{
      {{Check::cancellation, tape::additions(tape).at(0).place, 1, 40}, Large::first, Left::nothing}};
  const auto condition = inaccuracy_condition(tape, wanted, inputs, Leaves::as_they_were);
  ASSERT_TRUE(condition);
  const Term held = condition->system.variables().at(0).term;
  for (const Node& node : condition->system.nodes())
    for (int i = 0; i < operand_count(node); ++i)
      EXPECT_NE(node.operands[i], held);
  EXPECT_TRUE(satisfies(condition->system, model_of(*condition, inputs, std::vector<long double>{1, -3})));
  EXPECT_EQ(input_of(*condition, inputs, {0, numeric::bits_of(-3.0)}, std::vector<long double>{1, 7}),
            (std::vector<long double>{1, -3}));
}

} // namespace
} // namespace faultline::constraint
