// Records must not be read when another run has written over them.
#include "runtime/tape_memory.h"

#include <gtest/gtest.h>

namespace faultline::runtime {
namespace {

Records some() {
  begin_run();
  return Records({tape_memory().records, 1});
}

TEST(Records, AreCurrentUntilTheNextTapedRun) {
  const Records records = some();
  EXPECT_TRUE(records.current());
  begin_untaped_run();
  EXPECT_TRUE(records.current());
  EXPECT_TRUE(records.first(0).current());
  begin_run();
  EXPECT_FALSE(records.current());
  EXPECT_FALSE(records.first(0).current());
}

TEST(RecordsDeathTest, OfAnEarlierRunAreNotRead) {
  const Records records = some();
  EXPECT_EQ(records[0].site, tape_memory().records[0].site);
  begin_run();
  EXPECT_DEATH((void)records[0].site, "a tape was read after another run had begun");
  EXPECT_DEATH((void)records.all(), "a tape was read after another run had begun");
}

} // namespace
} // namespace faultline::runtime
