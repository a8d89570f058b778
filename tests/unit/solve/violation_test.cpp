#include "solve/newton/violation.h"

#include "constraint/evaluate.h"
#include "random_system.h"

#include <gtest/gtest.h>

namespace faultline::solve {
namespace {

using constraint::Model;
using constraint::System;
using constraint::Term;
using numeric::BinaryFormat;
using ops::Op;

class ViolationIn : public testing::TestWithParam<std::vector<BinaryFormat>> {};

TEST_P(ViolationIn, NoDistanceIsLeftExactlyWhereTheSystemIsSatisfied) {
  int satisfied = 0, failed = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    RandomSystem random(seed, GetParam());
    random.grow(30);
    random.system.assert_true(random.some_boolean());
    random.system.assert_true(random.some_boolean());
    const Violation violation(random.system);
    for (int i = 0; i < 40; ++i) {
      const Model model = random.model();
      const Violation::State state = violation.at(model);
      const bool expected = satisfies(random.system, model);
      ASSERT_EQ(state.score.unsatisfied == 0, expected) << "seed " << seed;
      ASSERT_EQ(state.score.cost == 0, expected) << "seed " << seed;
      ASSERT_GE(state.score.cost, 0);
      ++(expected ? satisfied : failed);
    }
  }
  EXPECT_GT(satisfied, 300); // both were seen
  EXPECT_GT(failed, 300);
}

TEST_P(ViolationIn, AProbeTellsWhatTheMoveWouldBringAndLeavesNoTrace) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    RandomSystem random(seed, GetParam());
    random.grow(40);
    random.system.assert_true(random.some_boolean());
    random.system.assert_true(random.some_boolean());
    Violation violation(random.system);
    Violation::State state = violation.at(random.model());
    for (int i = 0; i < 30; ++i) {
      const Violation::State before = state;
      const size_t variable = random.rng().below(state.point.size());
      const constraint::Bits bits = random.model()[variable];
      const Score probed = violation.probe(state, variable, bits);
      ASSERT_EQ(state.point, before.point);
      ASSERT_EQ(state.distances, before.distances);
      ASSERT_EQ(state.score.cost, before.score.cost);
      violation.move(state, variable, bits);
      ASSERT_EQ(state.score.unsatisfied, probed.unsatisfied);
      ASSERT_NEAR(state.score.cost, probed.cost, 1e-6);
      ASSERT_EQ(state.distances, violation.at(state.point).distances);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Violation, ViolationIn,
                         testing::Values(std::vector{numeric::binary32, numeric::binary64},
                                         std::vector{BinaryFormat{3, 3}},
                                         std::vector{BinaryFormat{4, 4}, numeric::binary32},
                                         std::vector{BinaryFormat{15, 113}}));

// A smaller violation must be nearer to a solution: in a tiny format every pair is tried.
TEST(Distance, OfComparisonsFallsWithEveryFloatTowardTheGoal) {
  constexpr BinaryFormat tiny{3, 3};
  for (const Op op : {Op::cmp_oeq, Op::cmp_olt, Op::cmp_ole, Op::cmp_ogt, Op::cmp_oge, Op::cmp_ult, Op::cmp_uge})
    for (auto a = tiny.lowest(); a <= tiny.highest(); ++a)
      for (auto b = tiny.lowest(); b <= tiny.highest(); ++b) {
        const double here = comparison_distance(op, tiny, tiny.at(a), tiny.at(b));
        ASSERT_EQ(here == 0, constraint::holds(op, tiny, tiny.at(a), tiny.at(b)));
        if (here == 0)
          continue;
        const int toward = a < b || (a == b && (op == Op::cmp_ogt)) ? 1 : -1;
        const auto next = a + toward;
        if (next < tiny.lowest() || next > tiny.highest())
          continue;
        const bool zeros = tiny.is_zero(tiny.at(a)) && tiny.is_zero(tiny.at(next));
        if (op != Op::cmp_olt && op != Op::cmp_ogt && op != Op::cmp_ult && !zeros) {
          ASSERT_LT(comparison_distance(op, tiny, tiny.at(next), tiny.at(b)), here) << int(a) << " " << int(b);
        }
      }
}

TEST(Distance, OfDoublesAndOfTheirBitsIsTheSame) {
  numeric::Rng rng(5);
  for (int i = 0; i < 20'000; ++i) {
    const Op op = Op(uint64_t(Op::cmp_oeq) + rng.below(14));
    const numeric::Bits a = rng.next(), b = rng.coin() ? numeric::Bits(rng.next()) : a + rng.below(3);
    const double x = numeric::double_of(a, numeric::binary64), y = numeric::double_of(b, numeric::binary64);
    ASSERT_EQ(comparison_distance(op, x, y, false), comparison_distance(op, numeric::binary64, a, b));
    const numeric::Bits c = a & 0xffffffff, d = b & 0xffffffff;
    ASSERT_EQ(comparison_distance(op, numeric::double_of(c, numeric::binary32),
                                  numeric::double_of(d, numeric::binary32), true),
              comparison_distance(op, numeric::binary32, c, d));
  }
}

TEST(Distance, OfClassificationsIsZeroExactlyWhereTheyHold) {
  constexpr BinaryFormat tiny{3, 3};
  for (unsigned bits = 0; bits < 64; ++bits)
    for (int tested = 0; tested < 7; ++tested)
      for (const bool wanted : {false, true}) {
        const auto kind = constraint::Class(tested);
        const bool holds = constraint::is(kind, tiny, bits) == wanted;
        ASSERT_EQ(class_distance(wanted, kind, tiny, bits) == 0, holds) << bits << " " << tested << " " << wanted;
      }
}

} // namespace
} // namespace faultline::solve
