#include "solve/newton/starts.h"

#include "constraint/evaluate.h"
#include "numeric/random.h"

#include <gtest/gtest.h>

namespace faultline::solve {
namespace {

using constraint::Class;
using constraint::System;
using constraint::Term;
using numeric::BinaryFormat;
using ops::Op;

constexpr BinaryFormat tiny{3, 3}, larger{4, 4};

// The box has all models, and its ends are models: tried with every value of a tiny format.
void expect_tight(const System& system) {
  const Range range = box_of(system).front();
  bool any = false;
  for (unsigned bits = 0; bits < 64; ++bits) {
    if (!satisfies(system, {bits}))
      continue;
    if (tiny.is_nan(bits)) {
      EXPECT_TRUE(range.nan);
      continue;
    }
    any = true;
    EXPECT_GE(tiny.order(bits), range.low);
    EXPECT_LE(tiny.order(bits), range.high);
  }
  if (any) {
    EXPECT_TRUE(satisfies(system, {tiny.at(range.low)}));
    EXPECT_TRUE(satisfies(system, {tiny.at(range.high)}));
  }
}

TEST(Box, BoundsFromComparisonsLoseNoModelAndEndAtOne) {
  for (int op = 0; op < 14; ++op)
    for (unsigned constant = 0; constant < 64; ++constant)
      for (int shape = 0; shape < 8; ++shape) {
        const Op comparison = Op(int(Op::cmp_oeq) + op);
        if (comparison == Op::cmp_une || comparison == Op::cmp_one)
          continue; // a hole, not an end
        System system;
        Term x = system.variable("x", constraint::float_sort(tiny));
        Term c = system.constant(constant, tiny);
        if (shape & 1)
          x = system.operation(Op::fneg, x);
        if (shape & 2) {
          x = system.convert(x, larger);
          c = system.convert(c, larger);
        }
        const Term atom = shape & 4 ? system.compare(comparison, c, x) : system.compare(comparison, x, c);
        system.assert_true(atom);
        expect_tight(system);
        System negated;
        x = negated.variable("x", constraint::float_sort(tiny));
        negated.assert_true(negated.negate(negated.compare(comparison, x, negated.constant(constant, tiny))));
        if (comparison != Op::cmp_oeq && comparison != Op::cmp_ueq)
          expect_tight(negated);
      }
}

TEST(Box, BoundsFromClassesLoseNoModel) {
  for (int tested = 0; tested < 7; ++tested)
    for (const bool wanted : {true, false}) {
      System system;
      const Term x = system.variable("x", constraint::float_sort(tiny));
      const Term atom = system.classify(Class(tested), x);
      system.assert_true(wanted ? atom : system.negate(atom));
      const Range range = box_of(system).front();
      for (unsigned bits = 0; bits < 64; ++bits)
        if (satisfies(system, {bits})) {
          EXPECT_TRUE(tiny.is_nan(bits) ? range.nan : tiny.order(bits) >= range.low && tiny.order(bits) <= range.high);
        }
    }
}

TEST(Box, ANarrowingConversionIsBoundedWhereItsRoundingEnds) {
  System system;
  const Term x = system.variable("x", constraint::float_sort(numeric::binary64));
  system.assert_true(system.compare(Op::cmp_ole, system.convert(x, numeric::binary32),
                                    system.constant(numeric::bits_of(1.0f), numeric::binary32)));
  const Range range = box_of(system).front();
  const numeric::Bits last = numeric::binary64.at(range.high);
  EXPECT_GT(numeric::double_of(last, numeric::binary64), 1.0); // what rounds to 1
  EXPECT_TRUE(satisfies(system, {last}));
  EXPECT_FALSE(satisfies(system, {numeric::binary64.at(range.high + 1)}));
}

} // namespace
} // namespace faultline::solve
