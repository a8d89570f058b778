#include "solve/bits/words.h"

#include "solve/bits/bits.h"
#include "solve/bits/bits_float.h"

#include <cmath>
#include <gtest/gtest.h>

namespace faultline::solve {
namespace {

constexpr int width = 5;
constexpr unsigned limit = 1u << width;

unsigned number(const Word& word) {
  EXPECT_TRUE(is_constant(word));
  return unsigned(value_of(word));
}

TEST(Words, SumsDifferencesAndRelationsAreThoseOfIntegers) {
  Gates gates;
  for (unsigned a = 0; a < limit; ++a)
    for (unsigned b = 0; b < limit; ++b) {
      const Word x = word_of(a, width), y = word_of(b, width + 1);
      ASSERT_EQ(number(add(gates, x, y)), a + b);
      ASSERT_EQ(number(add(gates, x, y, true)), a + b + 1);
      ASSERT_EQ(number(subtract(gates, x, y, width)), (a - b) % limit);
      ASSERT_EQ(less(gates, x, y), Gate(a < b));
      ASSERT_EQ(less_equal(gates, x, y), Gate(a <= b));
      ASSERT_EQ(equal(gates, x, y), Gate(a == b));
    }
}

TEST(Words, ShiftsKeepOrRememberEveryBit) {
  Gates gates;
  for (unsigned a = 0; a < limit; ++a)
    for (unsigned count = 0; count < 16; ++count) {
      Gate sticky = false;
      ASSERT_EQ(number(shift_right(gates, word_of(a, width), word_of(count, 4), sticky)), a >> count);
      ASSERT_EQ(sticky, Gate((a >> count) << count != a));
      ASSERT_EQ(number(shift_left(gates, word_of(a, width), word_of(count, 4))), (a << count) % limit);
    }
}

TEST(Words, ProductsAreThoseOfIntegers) {
  Gates gates;
  for (unsigned a = 0; a < limit; ++a)
    for (unsigned b = 0; b < limit; ++b)
      ASSERT_EQ(number(multiply(gates, word_of(a, width), word_of(b, width + 2))), a * b);
  for (unsigned a = 0; a < limit; ++a)
    ASSERT_EQ(number(multiply(gates, word_of(a, width), word_of(a, width))), a * a);
}

// The value of `result` when the inputs are fixed; nothing if there is no model.
unsigned solved(Gates& gates, const Word& word, unsigned value, const Word& result) {
  gates.require(equal(gates, word, word_of(value, int(word.size()))));
  Cadical solver;
  Cnf cnf(gates, solver);
  cnf.encode(result);
  EXPECT_EQ(solver.solve(Deadline(60)), Answer::sat) << value;
  Word found = result;
  for (Gate& gate : found)
    gate = cnf.value(gate);
  return number(found);
}

TEST(Words, AFactorThatIsConstantGivesTheSameProductAndSoDoesASquare) {
  for (unsigned b = 0; b < limit; b += 3)
    for (unsigned a = 0; a < limit; a += 5) {
      Gates gates;
      const Word x = inputs(gates, width);
      EXPECT_EQ(solved(gates, x, a, multiply(gates, x, word_of(b, width))), a * b);
    }
  for (unsigned a = 0; a < limit; ++a) {
    Gates gates;
    const Word x = inputs(gates, width);
    EXPECT_EQ(solved(gates, x, a, multiply(gates, x, x)), a * a);
  }
}

TEST(Words, QuotientsAndRootsAreTheOnlySolutionsOfTheirEquations) {
  for (unsigned b = limit / 2; b < limit; b += 3)
    for (unsigned a = b << (width - 1); a < b << width; a += 17) {
      Gates gates, folded;
      const Word x = inputs(gates, 2 * width);
      Gate inexact, folded_inexact;
      Word quotient = divide(gates, x, word_of(b, width), width, inexact);
      quotient.push_back(inexact);
      EXPECT_EQ(solved(gates, x, a, quotient), a / b + (a % b != 0 ? limit : 0));
      const Word computed = divide(folded, word_of(a, 2 * width), word_of(b, width), width, folded_inexact);
      EXPECT_EQ(number(computed), a / b);
      EXPECT_EQ(folded_inexact, Gate(a % b != 0));
    }
  for (unsigned a = 64; a < 256; a += 5) {
    Gates gates;
    const Word x = inputs(gates, 8);
    Gate inexact;
    Word root = square_root(gates, x, inexact);
    root.push_back(inexact);
    const unsigned expected = unsigned(std::sqrt(double(a)));
    EXPECT_EQ(solved(gates, x, a, root), expected + (expected * expected != a ? 16 : 0));
  }
}

int number(const Ranged& a) { return a.low + int(value_of(a.word)); }

Ranged ranged_of(int value, int low, int high) {
  return {low, high, word_of(Uint128(value - low), bit_count(Uint128(high - low)))};
}

TEST(Ranged, ArithmeticStaysWithinItsBoundsAndIsRight) {
  Gates gates;
  for (int a = -5; a <= 9; ++a)
    for (int b = -3; b <= 4; ++b) {
      const Ranged x = ranged_of(a, -5, 9), y = ranged_of(b, -3, 4);
      ASSERT_EQ(number(sum(gates, x, y)), a + b);
      ASSERT_EQ(number(difference(gates, x, y)), a - b);
      ASSERT_EQ(difference(gates, x, y).low, -9);
      ASSERT_EQ(difference(gates, x, y).high, 12);
      ASSERT_EQ(number(shifted(x, b)), a + b);
      ASSERT_EQ(number(plus(gates, x, true)), a + 1);
      ASSERT_EQ(number(at_least(gates, x, b)), std::max(a, b));
      ASSERT_EQ(number(at_most(gates, x, b)), std::min(a, b));
      ASSERT_EQ(less(gates, x, b), Gate(a < b));
      ASSERT_EQ(less(gates, x, y), Gate(a < b));
      ASSERT_EQ(equal(gates, x, y), Gate(a == b));
      ASSERT_EQ(number(choose(gates, a < b, x, y)), std::min(a, b));
      ASSERT_EQ(number(within(gates, x, -20, 30)), a);
      Gate odd;
      ASSERT_EQ(number(halved(gates, x, odd)), a >> 1);
      ASSERT_EQ(odd, Gate((a & 1) != 0));
    }
  EXPECT_EQ(number(within(gates, ranged_of(3, -5, 9), 2, 4)), 3);
}

} // namespace
} // namespace faultline::solve
