#include "solve/newton/descent.h"

#include "numeric/random.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::solve {
namespace {

using constraint::Model;
using constraint::System;
using constraint::Term;
using ops::Op;

constexpr auto sort64 = constraint::float_sort(numeric::binary64);

TEST(Sweep, DerivativesAgreeWithDifferences) {
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    numeric::Rng rng(seed);
    System system;
    std::vector<Term> terms;
    Model model;
    for (int i = 0; i < 3; ++i) {
      terms.push_back(system.variable("x" + std::to_string(i), sort64));
      model.push_back(numeric::bits_of(rng.uniform(0.5, 2)));
    }
    const auto any = [&] { return terms[rng.below(terms.size())]; };
    for (int i = 0; i < 8; ++i) {
      const Op op[] = {Op::fadd, Op::fsub, Op::fmul, Op::sin, Op::exp, Op::fneg};
      const Term chosen = system.operation(op[rng.below(4)], any(), any());
      terms.push_back(system.choose(system.compare(Op::cmp_olt, any(), any()), chosen, any()));
    }
    const Term a = terms.back(), b = any();
    const Compiled compiled(system, std::vector{a, b});
    Compiled::Values values;
    compiled.evaluate(model, values);
    std::vector<double> gradient;
    Sweep(compiled, values).gradient(compiled.slot_of(a), compiled.slot_of(b), gradient);
    const auto difference_at = [&](size_t variable, double change) {
      Model moved = model;
      moved[variable] = numeric::bits_of(numeric::double_of(model[variable], numeric::binary64) + change);
      Compiled::Values there;
      compiled.evaluate(moved, there);
      return there.number[compiled.slot_of(a)] - there.number[compiled.slot_of(b)];
    };
    constexpr double step = 1e-6;
    for (size_t i = 0; i < model.size(); ++i) {
      const double expected = (difference_at(i, step) - difference_at(i, -step)) / (2 * step);
      EXPECT_NEAR(gradient[i], expected, 1e-5 * (1 + std::fabs(expected))) << "seed " << seed;
    }
  }
}

TEST(Sweep, RoundingToAnIntegerSaysWhereToGo) {
  System system;
  const Term x = system.variable("x", sort64), zero = system.constant(0.0);
  const Term floor = system.operation(Op::floor, system.operation(Op::fmul, x, system.constant(3.0)));
  const Compiled compiled(system, std::vector{floor, zero});
  Compiled::Values values;
  compiled.evaluate({numeric::bits_of(1.25)}, values);
  std::vector<double> gradient;
  Sweep(compiled, values).gradient(compiled.slot_of(floor), compiled.slot_of(zero), gradient);
  EXPECT_EQ(gradient, std::vector{3.0});
}

} // namespace
} // namespace faultline::solve
