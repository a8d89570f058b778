// Addresses near an array tell which it is, and which element: each of its elements can be used, and none beyond.
#include "exec/extent_probe.h"

#include <gtest/gtest.h>

namespace faultline::exec {
namespace {

TEST(ArrayMemory, AnAddressTellsTheArrayAndTheElement) {
  ArrayMemory memory({{8, 1000}, {4, 1000}});
  for (const uint64_t extent : {0, 1, 5, 511, 512, 513, 1000})
    for (const Edge edge : {Edge::behind, Edge::before}) {
      memory.place(0, 7, edge);
      char* data = memory.place(1, extent, edge);
      for (uint64_t i = 0; i < 4 * extent; ++i)
        data[i] = 1; // accessible
      for (const int64_t element : {-300, -1, 0, 3, 1200}) {
        const std::optional<OverrunElement> at = memory.at(data + 4 * element + 1);
        ASSERT_TRUE(at);
        EXPECT_EQ(at->array, 1);
        EXPECT_EQ(at->element, element);
      }
    }
  int elsewhere = 0;
  EXPECT_FALSE(memory.at(&elsewhere));
}

} // namespace
} // namespace faultline::exec
