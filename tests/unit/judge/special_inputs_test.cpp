#include "judge/tasks/work.h"

#include "numeric/bigfloat.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace faultline::judge {
namespace {

using search::Dimension;

Dimension all_doubles(const std::string& name) {
  const long double most = numeric::largest(numeric::Format::binary64);
  return {.name = name, .low = -most, .high = most};
}

bool has(const std::vector<exec::Input>& inputs, const exec::Input& wanted) {
  return std::ranges::any_of(inputs, [&](const exec::Input& input) { return exec::same_bits(input, wanted); });
}

TEST(SpecialInputs, HaveZerosOnesAndEnds) {
  const auto inputs = special_inputs({{all_doubles("x")}});
  for (const long double value : {0.0L, -0.0L, 1.0L, -1.0L, 0x1p-1022L, 0x1p-1074L, 0x1.fffffffffffffp1023L})
    EXPECT_TRUE(has(inputs, {value})) << double(value);
}

TEST(SpecialInputs, StayWithinTheRanges) {
  Dimension x = all_doubles("x");
  x.low = 0.5;
  x.high = 3;
  const Dimension n{.name = "n", .floating = false, .low = 2, .high = 5};
  const auto inputs = special_inputs({{x, n}});
  EXPECT_FALSE(inputs.empty());
  for (const exec::Input& input : inputs) {
    EXPECT_TRUE(input[0] >= 0.5 && input[0] <= 3);
    EXPECT_TRUE(input[1] >= 2 && input[1] <= 5);
  }
  EXPECT_TRUE(has(inputs, {1, 5})); // one at its end, the other ordinary
}

} // namespace
} // namespace faultline::judge
