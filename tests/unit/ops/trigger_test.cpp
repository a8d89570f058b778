// An exception without a trigger is never looked for; the search for a trigger that raises nothing is fruitless. So
// every operation of the list is tried on operands of all sizes, and asked what it raises.
#include "ops/table.h"

#include "../numeric/samples.h"
#include "domains.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace faultline::ops {
namespace {

using numeric::Format;
using numeric::Rng;

template <class T> constexpr Format format_of = Format::binary64;
template <> constexpr Format format_of<float> = Format::binary32;
template <> constexpr Format format_of<long double> = Format::extended80;

float run(Op op, float a, float b, float c) { return evaluate32(op, a, b, c); }
double run(Op op, double a, double b, double c) { return evaluate(op, a, b, c); }
long double run(Op op, long double a, long double b, long double c) { return evaluate80(op, a, b, c); }

// Zeros, ends of domains and ranges, numbers of everyday size, and any float at all.
template <class T> T operand(Rng& rng) {
  using Limits = std::numeric_limits<T>;
  static const T telling[] = {0,
                              -T(0),
                              1,
                              -1,
                              0.5,
                              2,
                              -2,
                              3,
                              -3.5,
                              -4,
                              Limits::max(),
                              -Limits::max(),
                              -T(1),
                              Limits::min(),
                              Limits::denorm_min(),
                              1e17,
                              -Limits::min(),
                              T(M_PI / 2),
                              709.9,
                              -746,
                              T(0x1p63),
                              1e30,
                              Limits::epsilon(),
                              Limits::min() / 2};
  switch (rng.below(4)) {
  case 0:
    return telling[rng.below(std::size(telling))];
  case 1:
    return T(rng.uniform(-20, 20));
  case 2:
    return T(rng.uniform(-12'000, 12'000));
  default:
    return numeric::any_finite<T>(rng);
  }
}

template <class T> T second_operand(Op op, Rng& rng) {
  if (!has_integer_operand(op))
    return operand<T>(rng);
  // Orders of Bessel functions are small, for libm's recursion takes as many steps.
  return std::rint(T(op == Op::jn || op == Op::yn ? rng.uniform(-60, 60) : rng.uniform(-40'000, 40'000)));
}

bool holds(const Trigger& trigger, const long double (&values)[4], Format operands, Format result) {
  return std::all_of(trigger.begin(), trigger.end(), [&](const Condition& condition) {
    return ops::holds(condition, values[condition.operand], condition.operand == Condition::result ? result : operands);
  });
}

bool any_holds(Op op, Exception kind, const long double (&values)[4], Format operands, Format result) {
  const Raises& triggers = entry(op).raises;
  return std::any_of(triggers.begin(), triggers.end(), [&](const Trigger& trigger) {
    return trigger.kind == kind && holds(trigger, values, operands, result);
  });
}

// Both ways: what is raised has a trigger that holds, and a trigger that holds is what is raised, except that an
// underflow may be exact.
void agree(Op op, const long double (&values)[4], Format operands, Format format) {
  const auto [a, b, c, result] = values;
  const Exception raised = exception(op, format, a, b, c, result);
  for (const Exception kind : all_exceptions) {
    const bool triggered = any_holds(op, kind, values, operands, format);
    if (raised == kind) {
      EXPECT_TRUE(triggered) << name(kind) << " without a trigger: " << name(op) << "(" << a << ", " << b << ", " << c
                             << ") = " << result;
    }
    if (triggered && kind != Exception::underflow) {
      EXPECT_EQ(name(raised), name(kind)) << name(op) << "(" << a << ", " << b << ", " << c << ") = " << result;
    }
  }
}

class Triggers : public testing::TestWithParam<Op> {};

template <class T> void try_out(Op op) {
  Rng rng(1);
  for (int i = 0; i < 4000 && !testing::Test::HasFailure(); ++i) {
    const T a = operand<T>(rng), b = second_operand<T>(op, rng), c = operand<T>(rng);
    agree(op, {a, b, c, run(op, a, b, c)}, format_of<T>, format_of<T>);
  }
}

TEST_P(Triggers, AreTheOnesThatRaiseExceptions) {
  const Op op = GetParam();
  if (op == Op::fptrunc) // the table leaves rounding to its caller
    return;              // NarrowingIsTriggeredByItsResult
  try_out<float>(op);
  try_out<double>(op);
  try_out<long double>(op);
}

TEST(Triggers, NarrowingIsTriggeredByItsResult) {
  Rng rng(2);
  for (int i = 0; i < 4000; ++i) {
    const double a = i % 2 ? numeric::with_exponent<double>(rng, -155, 130) : operand<double>(rng);
    agree(Op::fptrunc, {a, 0, 0, float(a)}, Format::binary64, Format::binary32);
  }
}

// A trigger that nothing ever pulls would be a goal that no search can reach.
TEST_P(Triggers, AreAllPulledSomewhere) {
  const Op op = GetParam();
  for (const Trigger& trigger : entry(op).raises) {
    bool pulled = false;
    Rng rng(3);
    for (int i = 0; i < 60'000 && !pulled; ++i) {
      const double a = operand<double>(rng), b = second_operand<double>(op, rng), c = operand<double>(rng);
      const double result = op == Op::fptrunc ? double(float(a)) : evaluate(op, a, b, c);
      const Format format = op == Op::fptrunc ? Format::binary32 : Format::binary64;
      pulled = holds(trigger, {a, b, c, result}, Format::binary64, format);
    }
    EXPECT_TRUE(pulled) << name(op) << ": " << name(trigger.kind);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Triggers, testing::ValuesIn(all_operations()),
                         [](const auto& info) { return std::string(name(info.param)); });

} // namespace
} // namespace faultline::ops
