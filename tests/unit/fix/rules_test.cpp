// Every rule of the list, at random points of its domain: both sides are equal.
#include "fix/rules.h"
#include "numeric/random.h"

#include <gtest/gtest.h>

#include <cmath>

namespace faultline::fix {
namespace {

using numeric::Ball;

constexpr long precision = 256;

// Numbers of several sizes and signs; exact, so that conditions are decided.
Ball some_number(numeric::Rng& rng) {
  const double sizes[] = {0.25, 1, 1, 3, 20};
  const double size = sizes[rng.below(5)];
  return Ball(Value(rng.uniform(-size, size)));
}

bool in_domain(const Rule& rule, const std::vector<Ball>& letters) {
  for (const Domain& domain : rule.domain) {
    Ball value = value_of(domain.what, letters, precision);
    const Ball number = enclosure(Term::number(domain.number), {}, precision);
    arb_sub(value.raw(), value.raw(), number.raw(), precision);
    using enum Domain::Relation;
    const bool holds = domain.relation == at_least  ? arb_is_nonnegative(value.raw())
                       : domain.relation == above   ? arb_is_positive(value.raw())
                       : domain.relation == at_most ? arb_is_nonpositive(value.raw())
                       : domain.relation == below   ? arb_is_negative(value.raw())
                       : domain.relation == unequal ? arb_is_nonzero(value.raw())
                                                    : true;
    if (!holds)
      return false;
  }
  return true;
}

// The number of points at which both sides have a value; -1 after two that differ.
int agreeing_points(const Rule& rule, uint64_t seed) {
  numeric::Rng rng(seed);
  int agreeing = 0;
  for (int i = 0; i < 3000 && agreeing < 100; ++i) {
    std::vector<Ball> letters;
    for (size_t k = 0; k < rule.letters; ++k)
      letters.push_back(some_number(rng));
    if (!in_domain(rule, letters))
      continue;
    const Ball left = value_of(rule.left, letters, precision), right = value_of(rule.right, letters, precision);
    if (!left.is_finite() || !right.is_finite())
      continue;
    if (!arb_overlaps(left.raw(), right.raw()))
      return -1;
    agreeing += left.accurate_bits() > 100 || left.contains_zero();
  }
  return agreeing;
}

TEST(Rules, HaveEqualSidesOnTheirDomains) {
  for (const Rule& rule : all_rules())
    EXPECT_GE(agreeing_points(rule, 7), 20) << rule.name;
}

TEST(Rules, ThatAreWrongAreFound) {
  const Rule wrong = parse_rule({"wrong", "sqrt(a * a) => a"}).front();
  EXPECT_EQ(agreeing_points(wrong, 7), -1);
  const Rule guarded = parse_rule({"guarded", "sqrt(a * a) => a if a >= 0"}).front();
  EXPECT_GE(agreeing_points(guarded, 7), 20);
}

TEST(Rules, MatchModuloCommutation) {
  Graph graph({{{Value(2)}, 128}}, 100);
  const ClassId x = graph.add(Term::variable("x", 0));
  const ClassId sum = graph.add(Term::number(1) + Term::apply(Op::exp, Term::variable("x", 0)));
  const Rule rule = parse_rule({"plus-one", "exp(a) + 1 => 1 + exp(a)"}).front();
  Substitution letters(rule.letters);
  int found = 0;
  match(graph, rule.left, sum, letters, [&](const Substitution& at) {
    found += graph.find(*at[0]) == graph.find(x);
    return true;
  });
  EXPECT_EQ(found, 1);
}

} // namespace
} // namespace faultline::fix
