#include "search/space.h"

#include "searching.h"

#include <gtest/gtest.h>

namespace faultline::test {
namespace {

using exec::Input;
using search::Space;
using search::with_zeros;

Space doubles(size_t count) { return {std::vector<search::Dimension>(count, a_double(-100, 100))}; }

TEST(Zeros, AreAllThatIsLeftOfAnInputOfWhichNothingMatters) {
  size_t attempts = 0;
  const Input zeros = with_zeros(doubles(8), {1, 2, 3, 4, 5, 6, 7, 8}, [&](const Input&) { return ++attempts > 0; });
  EXPECT_EQ(zeros, Input(8, 0));
  EXPECT_EQ(attempts, 1u) << "what changes nothing is not tried";
}

TEST(Zeros, LeaveWhatMatters) {
  const Input input = with_zeros(doubles(7), {1, 2, 3, 4, 5, 6, 7},
                                 [&](const Input& candidate) { return candidate[2] == 3 && candidate[6] == 7; });
  EXPECT_EQ(input, (Input{0, 0, 3, 0, 0, 0, 7}));
}

TEST(Zeros, AreTriedForHalvesAndQuartersOfTheInputs) {
  std::vector<Input> tried;
  with_zeros(doubles(4), {1, 2, 3, 4}, [&](const Input& candidate) {
    tried.push_back(candidate);
    return false;
  });
  EXPECT_EQ(tried,
            (std::vector<Input>{
                {0, 0, 0, 0}, {0, 0, 3, 4}, {1, 2, 0, 0}, {0, 2, 3, 4}, {1, 0, 3, 4}, {1, 2, 0, 4}, {1, 2, 3, 0}}));
}

TEST(Zeros, StayWithinTheRangesAndOffWhatIsHeld) {
  const Space space{{a_double(2, 9), a_double(5, 5), an_integer(-9, -4)}};
  EXPECT_EQ(with_zeros(space, {7, 5, -8}, [](const Input&) { return true; }), (Input{2, 5, -4}));
}

} // namespace
} // namespace faultline::test
