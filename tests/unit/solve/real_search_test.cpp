// How the solver over the reals goes about it: from near models, by seeds, within an effort, on systems made at random.
#include "real_formula.h"

#include "numeric/random.h"
#include "random_system.h"

#include <cmath>

namespace faultline::solve {
namespace {

using constraint::Model;
using constraint::Term;
using ops::Op;

TEST(Real, KeepsWhatItCanOfANearModel) {
  Formula f;
  f.is(Op::cmp_ogt, f.multiply(f.x, f.y), 100);
  f.is(Op::cmp_olt, f.z, 1000);
  const Result result = answer(f.system, {{numeric::bits_of(3.25), numeric::bits_of(1.0), numeric::bits_of(77.0)}});
  ASSERT_EQ(result.answer, Answer::sat);
  int kept = 0;
  for (size_t i = 0; i < 3; ++i)
    kept += result.model[i] == numeric::bits_of(std::array{3.25, 1.0, 77.0}[i]);
  EXPECT_GE(kept, 2);
}

TEST(Real, HasNoAnswerWhereThereIsNoModelAndStopsByItself) {
  Formula f;
  f.is(Op::cmp_olt, f.polynomial({1, 0, 1}, f.x), 0.0);
  expect_unknown(f.system);
  Formula g;
  g.is(Op::cmp_ogt, g.add(g.multiply(g.x, g.x), g.multiply(g.y, g.y)), 5);
  g.is(Op::cmp_olt, g.add(g.multiply(g.x, g.x), g.multiply(g.y, g.y)), 4);
  expect_unknown(g.system);
  Formula h;
  h.system.assert_true(h.system.truth(false));
  expect_unknown(h.system);
}

TEST(Real, StaysWithinAnEffortOnHostileTerms) {
  Formula f; // degree 2^40, and a tower of quotients
  Term power = f.x, tower = f.y;
  for (int i = 0; i < 40; ++i) {
    power = f.multiply(power, power);
    tower = f.add(f.divide(f.number(1e300), f.add(tower, f.number(1e-300 * i))), f.multiply(tower, tower));
  }
  f.is(Op::cmp_oeq, f.add(power, tower), 3.7);
  f.is(Op::cmp_oeq, f(Op::exp, f(Op::exp, f(Op::exp, f(Op::exp, f.z)))), 1e3);
  answer(f.system, {}, 1, 20'000);
}

TEST(Real, AnswersByTheSeedAndTheEffortAlone) {
  Formula f;
  f.is(Op::cmp_oeq, f.add(f.multiply(f.x, f.y), f.z), 12.5);
  f.is(Op::cmp_ogt, f.multiply(f.z, f.z), f.x);
  const Result first = answer(f.system, {}, 9, 50'000), again = answer(f.system, {}, 9, 50'000);
  EXPECT_EQ(first.answer, Answer::sat);
  EXPECT_EQ(first.model, again.model);
}

// Systems with a known model: comparisons of random polynomials and quotients in three variables, as that model has
// them.
TEST(Real, FindsModelsOfMostRandomSystemsThatHaveOne) {
  numeric::Rng rng(21);
  constexpr int trials = 100;
  int found = 0;
  for (int trial = 0; trial < trials; ++trial) {
    Formula f;
    Model known;
    for (int i = 0; i < 3; ++i)
      known.push_back(numeric::bits_of(std::ldexp(rng.uniform(-1, 1), int(rng.below(20)))));
    std::vector<Term> terms{f.x, f.y, f.z, f.number(double(rng.below(10))), f.number(rng.uniform(-3, 3))};
    for (int i = 0; i < 8; ++i) {
      constexpr Op operations[] = {Op::fadd, Op::fsub, Op::fmul, Op::fmul, Op::fdiv};
      terms.push_back(f(operations[rng.below(5)], terms[rng.below(terms.size())], terms[rng.below(terms.size())]));
    }
    std::vector<constraint::Bits> values;
    evaluate(f.system, known, values);
    for (int i = 0; i < 4; ++i) {
      const Term a = terms[5 + rng.below(8)], b = terms[rng.below(terms.size())];
      for (const Op op : {Op::cmp_olt, Op::cmp_ogt, Op::cmp_oeq})
        if (constraint::holds(op, numeric::binary64, values[a], values[b]))
          f.system.assert_true(f.system.compare(op, a, b));
    }
    found += answer(f.system, {}, uint64_t(trial), 200'000).answer == Answer::sat;
  }
  EXPECT_GE(found, 85);
}

TEST(Real, HasNoWrongModelOfAnyKindOfTerm) {
  int found = 0;
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    RandomSystem random(seed, {numeric::binary64, numeric::BinaryFormat{3, 4}});
    random.grow(14);
    random.system.assert_true(random.some_boolean());
    random.system.assert_true(random.some_boolean());
    found += answer(random.system, {random.model()}, seed, 10'000).answer == Answer::sat;
  }
  EXPECT_GE(found, 60);
}

} // namespace
} // namespace faultline::solve
