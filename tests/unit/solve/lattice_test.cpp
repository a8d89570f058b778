#include "solve/newton/lattice.h"

#include "constraint/evaluate.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::solve {
namespace {

using constraint::Model;
using constraint::System;
using constraint::Term;
using numeric::BinaryFormat;
using ops::Op;

constexpr auto sort64 = constraint::float_sort(numeric::binary64);

// Everything a search needs, about one system.
struct Searching {
  explicit Searching(const System& system)
      : box(box_of(system)), violation(system), starts(system, box, {}, numeric::Rng(1)),
        lattice(violation, box, starts, numeric::Rng(2), deadline) {}

  Deadline deadline{20};
  Box box;
  Violation violation;
  Starts starts;
  Lattice lattice;
};

TEST(Inversion, ProposesTheSolutionOfAChainOfOperations) {
  numeric::Rng rng(4);
  for (int trial = 0; trial < 50; ++trial) {
    System system;
    const Term x = system.variable("x", sort64);
    Term value = x;
    for (int i = 0; i < 5; ++i) {
      const Op op[] = {Op::fadd, Op::fsub, Op::fmul, Op::fdiv};
      const Term constant = system.constant(rng.uniform(1, 3));
      value = rng.coin() ? system.operation(op[rng.below(4)], value, constant)
                         : system.operation(op[rng.below(4)], constant, value);
    }
    const double wanted = rng.uniform(1, 5);
    system.assert_true(system.compare(Op::cmp_oeq, value, system.constant(wanted)));
    Searching searching(system);
    auto state = searching.violation.at({numeric::bits_of(rng.uniform(1, 2))});
    std::vector<Move> moves;
    propose_inverted(searching.violation, state, searching.box,
                     searching.violation.goals()[searching.violation.assertions()[0]], rng, moves);
    ASSERT_FALSE(moves.empty());
    // Within roundings of the target: a solution to the last bit need not exist.
    searching.violation.move(state, moves[0].variable, moves[0].bits);
    const Compiled& compiled = searching.violation.compiled();
    EXPECT_NEAR(state.values.number[compiled.slot_of(value)], wanted, 1e-9) << "trial " << trial;
  }
}

TEST(Inversion, MakesAClassOrABooleanHold) {
  System system;
  const Term x = system.variable("x", sort64), b = system.variable("b", constraint::boolean_sort);
  system.assert_true(system.classify(constraint::Class::infinite, system.operation(Op::fneg, x)));
  system.assert_true(system.either(b, b));
  Searching searching(system);
  const auto state = searching.violation.at({0, 0});
  numeric::Rng rng(1);
  std::vector<Move> moves;
  for (const uint32_t goal : searching.violation.assertions())
    propose_inverted(searching.violation, state, searching.box, searching.violation.goals()[goal], rng, moves);
  const auto proposes = [&](size_t variable, constraint::Bits bits) {
    return std::any_of(moves.begin(), moves.end(),
                       [&](const Move& move) { return move.variable == variable && move.bits == bits; });
  };
  EXPECT_TRUE(proposes(0, numeric::binary64.infinity() | numeric::binary64.sign()));
  EXPECT_TRUE(proposes(1, 1));
}

TEST(Lattice, EndsExactlyWhereRoundingPutsTheFewSolutions) {
  int solved = 0;
  for (int i = 1; i <= 30; ++i) {
    System system;
    const Term x = system.variable("x", sort64);
    const double root = std::sqrt(i + 0.123);
    system.assert_true(system.compare(Op::cmp_oeq, system.operation(Op::fmul, x, x), system.constant(root * root)));
    Searching searching(system);
    auto state = searching.violation.at({numeric::bits_of(1.0)});
    solved += searching.lattice.search(state, 3'000'000);
    EXPECT_EQ(searching.violation.at(state.point).score.unsatisfied == 0, satisfies(system, state.point));
  }
  EXPECT_EQ(solved, 30);
}

TEST(Lattice, GivesUpWhenTheWorkIsDone) {
  System system;
  const Term x = system.variable("x", sort64);
  system.assert_true(system.compare(Op::cmp_olt, system.operation(Op::fabs, x), system.constant(0.0)));
  Searching searching(system);
  auto state = searching.violation.at({0});
  EXPECT_FALSE(searching.lattice.search(state, 10'000));
}

TEST(Starts, BeginWithWhatIsKnownAndStayInTheBox) {
  System system;
  const Term x = system.variable("x", sort64), y = system.variable("y", constraint::float_sort(BinaryFormat{4, 4}));
  system.assert_true(system.compare(Op::cmp_ole, system.constant(2.0), x));
  system.assert_true(system.compare(Op::cmp_olt, x, system.constant(7.0)));
  system.assert_true(system.negate(system.classify(constraint::Class::nan, y)));
  const Box box = box_of(system);
  const Model known{numeric::bits_of(100.0), 3};
  Starts starts(system, box, {known}, numeric::Rng(9)), again(system, box, {known}, numeric::Rng(9));
  EXPECT_EQ(starts.next(), known);
  again.next();
  for (int i = 0; i < 500; ++i) {
    const Model start = starts.next();
    EXPECT_EQ(start, again.next());
    const double value = numeric::double_of(start[0], numeric::binary64);
    EXPECT_GE(value, 2);
    EXPECT_LT(value, 7);
    EXPECT_FALSE((BinaryFormat{4, 4}.is_nan(start[1])));
  }
}

} // namespace
} // namespace faultline::solve
