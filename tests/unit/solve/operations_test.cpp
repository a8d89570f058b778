// Which solver can express which operation: one that is added to the list and forgotten by a solver is named here.
#include "../ops/domains.h"
#include "solve/bits/bits.h"
#include "solve/real/inverse.h"
#include "solve/smt_terms.h"

#include <gtest/gtest.h>
#include <set>
#include <string>

namespace faultline::solve {
namespace {

using constraint::BinaryFormat;
using constraint::System;
using constraint::Term;
using ops::Op;

std::vector<Op> computed_operations() {
  std::vector<Op> operations;
  for (const Op op : ops::all_operations())
    if (ops::arity(op) > 0 && !ops::is_comparison(op))
      operations.push_back(op);
  return operations;
}

// op(x, y, z) < 1, in a format so small that remainders take no time either.
System system_of(Op op) {
  constexpr BinaryFormat format{4, 6}, other{5, 8};
  System system;
  const auto variable = [&](const char* name) { return system.variable(name, constraint::float_sort(format)); };
  const Term x = variable("x"), y = variable("y"), z = variable("z");
  const bool converts = op == Op::fpext || op == Op::fptrunc;
  const BinaryFormat to = converts ? other : format;
  const Term result = converts ? system.convert(x, to) : system.operation(op, x, y, z);
  system.assert_true(system.compare(Op::cmp_olt, result, system.constant(numeric::bits_of(1.0L, to), to)));
  return system;
}

// Functions of libm have neither circuits nor SMT terms; all of arithmetic has, but for what is named here.
template <class Expressed> std::set<std::string> missing(Expressed expressed) {
  std::set<std::string> names;
  for (const Op op : computed_operations()) {
    const bool is_function = !ops::is_arithmetic(op) && !ops::rounding_of(op);
    const bool found = expressed(op);
    EXPECT_FALSE(is_function && found) << ops::name(op);
    if (!is_function && !found)
      names.emplace(ops::name(op));
  }
  return names;
}

TEST(Operations, AllOfArithmeticHasCircuits) {
  const auto expressed = [](Op op) {
    const System system = system_of(op);
    const Deadline deadline(60);
    return BitsSystem(system, {}, deadline).obstacle().empty();
  };
  EXPECT_EQ(missing(expressed), std::set<std::string>{});
}

TEST(Operations, AllOfArithmeticHasSmtTerms) {
  EXPECT_EQ(missing([](Op op) { return smt_terms(system_of(op)).obstacle.empty(); }), std::set<std::string>{});
}

// What is left after smt_terms must be what Z3 and cvc5 have cases for.
TEST(Operations, SmtSolversTakeAllThatSmtTermsWrite) {
  for (const Op op : computed_operations()) {
    const System system = system_of(op);
    if (!smt_terms(system).obstacle.empty())
      continue;
    for (const auto solver : {solve_z3, solve_cvc5})
      EXPECT_EQ(solver({.system = system, .seconds = 60}).answer, Answer::sat) << ops::name(op);
  }
}

TEST(Operations, FunctionsOfOneOperandThatTheRealSolverCannotInvertAreKnown) {
  std::set<std::string> names;
  for (const Op op : computed_operations())
    if (ops::arity(op) == 1 && !ops::is_arithmetic(op) && !invertible({op}))
      names.emplace(ops::name(op));
  EXPECT_EQ(names, (std::set<std::string>{"frexp", "modf", "logb", "erf", "erfc", "erfcx", "j0", "j1", "y0", "y1",
                                          "tgamma", "lgamma"}));
}

} // namespace
} // namespace faultline::solve
