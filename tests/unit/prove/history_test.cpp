// When a bound was as good as it came to be.
#include "prove/branch_and_bound.h"

#include <gtest/gtest.h>
#include <limits>

namespace faultline::prove {
namespace {

TEST(History, TellsWhenTheBoundWasNearItsEnd) {
  History history;
  EXPECT_EQ(history.seconds_to_within(0.01), 0) << "nothing was proved";
  history.note(0.1, std::numeric_limits<double>::infinity());
  history.note(0.2, 4);
  history.note(0.3, 1.02);
  history.note(0.4, 1.005);
  history.note(0.5, 1.005);
  history.note(0.6, 1);
  EXPECT_EQ(history.seconds_to_within(0.01), 0.4);
  EXPECT_EQ(history.seconds_to_within(0.1), 0.3);
  EXPECT_EQ(history.seconds_to_within(0), 0.6);
}

} // namespace
} // namespace faultline::prove
