#include "search/fpgen/refinement.h"

#include <gtest/gtest.h>

namespace faultline {
namespace {

using search::Aim;
using search::Elites;
using search::ScoredInput;

ScoredInput found(double any, double absolute, long double value) {
  ScoredInput found{{value}, {}};
  found.error.usable = true;
  found.error.any = any;
  found.error.absolute = absolute;
  return found;
}

TEST(Elites, AreTheLargestErrorsLargestFirst) {
  Elites elites(Aim::any);
  for (int i = 0; i < 40; ++i)
    elites.add(found(1 + (i * 7) % 40, 1, i));
  ASSERT_EQ(elites.best().size(), 12u);
  for (size_t i = 0; i < elites.best().size(); ++i)
    EXPECT_EQ(elites.best()[i].found.error.any, 40 - double(i));
}

TEST(Elites, OfTheSameErrorAreOneSoThatAPlateauDoesNotFillTheList) {
  Elites elites(Aim::any);
  elites.add(found(5, 1, 1));
  elites.add(found(5, 1, 2));
  elites.add(found(0, 1, 3)); // no error
  ASSERT_EQ(elites.best().size(), 1u);
  EXPECT_EQ(elites.best()[0].found.input[0], 1);
}

TEST(Elites, TakeTurns) {
  Elites elites(Aim::any);
  EXPECT_EQ(elites.next_of_best(), nullptr);
  elites.add(found(5, 1, 1));
  elites.add(found(9, 1, 2));
  Elites::Elite* first = elites.next_of_best();
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->found.error.any, 9);
  ++first->worked_on;
  EXPECT_EQ(elites.next_of_best()->found.error.any, 5);
}

TEST(Elites, OfEverySuspectAreKeptHoweverSmallTheirErrors) {
  Elites elites(Aim::any);
  for (int i = 0; i < 40; ++i)
    elites.add(found(1e20 + i * 1e18, 1, i), 7);
  elites.add(found(1e-3, 1, 100), 8);
  elites.add(found(1e-2, 0x1p-200, 101), 8); // of another size
  const auto best = elites.best_of_suspects();
  ASSERT_EQ(best.size(), 2u);
  EXPECT_EQ(best.at(7).input[0], 39);
  EXPECT_EQ(best.at(8).input[0], 101);
  double seen = 0;
  for (int i = 0; i < 3; ++i) {
    Elites::Elite* next = elites.next_of_kinds();
    ASSERT_NE(next, nullptr);
    EXPECT_EQ(next->worked_on, 0);
    ++next->worked_on;
    seen += next->found.error.any;
  }
  EXPECT_NEAR(seen, 1.39e20, 1e10) << "one of each kind";
}

} // namespace
} // namespace faultline
