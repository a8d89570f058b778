#include "solve/newton/compiled.h"

#include "constraint/evaluate.h"
#include "random_system.h"

#include <gtest/gtest.h>
#include <numeric>

namespace faultline::solve {
namespace {

using constraint::Model;
using constraint::Term;

void expect_agreement(const Compiled& compiled, const Compiled::Values& values, const constraint::System& system,
                      const Model& model) {
  std::vector<constraint::Bits> expected;
  constraint::evaluate(system, model, expected);
  for (Term term = 0; term < system.size(); ++term)
    ASSERT_EQ(compiled.bits(compiled.slot_of(term), values), expected[term]) << "term " << term;
}

class CompiledIn : public testing::TestWithParam<std::vector<numeric::BinaryFormat>> {};

TEST_P(CompiledIn, TheFastEvaluationIsTheOneThatAnswersAreJudgedBy) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    RandomSystem random(seed, GetParam());
    random.grow(60);
    std::vector<Term> all(random.system.size());
    std::iota(all.begin(), all.end(), 0);
    const Compiled compiled(random.system, all);
    Compiled::Values values;
    for (int i = 0; i < 30; ++i) {
      const Model model = random.model();
      compiled.evaluate(model, values);
      expect_agreement(compiled, values, random.system, model);
    }
  }
}

TEST_P(CompiledIn, ChangingOneVariableRecomputesAllThatDependsOnIt) {
  for (uint64_t seed = 1; seed <= 60; ++seed) {
    RandomSystem random(seed, GetParam());
    random.grow(60);
    std::vector<Term> all(random.system.size());
    std::iota(all.begin(), all.end(), 0);
    const Compiled compiled(random.system, all);
    Compiled::Values values;
    Model model = random.model();
    compiled.evaluate(model, values);
    for (int i = 0; i < 30; ++i) {
      const size_t variable = random.rng().below(model.size());
      model[variable] = random.model()[variable];
      compiled.assign(compiled.slot_of_variable(variable), model[variable], values);
      for (const Compiled::Slot slot : compiled.dependents(variable))
        compiled.compute(slot, values);
      expect_agreement(compiled, values, random.system, model);
    }
  }
}

using numeric::BinaryFormat;
INSTANTIATE_TEST_SUITE_P(Compiled, CompiledIn,
                         testing::Values(std::vector{numeric::binary32}, std::vector{numeric::binary64},
                                         std::vector{numeric::binary32, numeric::binary64},
                                         std::vector{BinaryFormat{3, 3}, BinaryFormat{4, 4}},
                                         std::vector{BinaryFormat{5, 11}, numeric::binary32, numeric::binary64},
                                         std::vector{numeric::extended80, numeric::binary64},
                                         std::vector{BinaryFormat{15, 113}, BinaryFormat{2, 2}}));

TEST(Compiled, TermsThatNobodyAsksForAreNotComputed) {
  constraint::System system;
  const Term x = system.variable("x", constraint::float_sort(numeric::binary64));
  const Term wanted = system.operation(ops::Op::fadd, x, x);
  const Term other = system.operation(ops::Op::fmul, x, x);
  const Compiled compiled(system, std::vector{wanted});
  EXPECT_EQ(compiled.size(), 2u);
  EXPECT_EQ(compiled.slot_of(other), Compiled::none);
}

} // namespace
} // namespace faultline::solve
