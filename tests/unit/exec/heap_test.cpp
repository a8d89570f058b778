#include "exec/heap.h"
#include "runtime/tape_memory.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace faultline::exec {
namespace {

constexpr uint64_t limit = 16u << 20;

bool all_zero(const void* block, size_t bytes) {
  auto* first = static_cast<const char*>(block);
  return std::all_of(first, first + bytes, [](char c) { return c == 0; });
}

TEST(Heap, BlocksAreApartAlignedAndZero) {
  Heap heap(limit);
  std::vector<std::pair<char*, size_t>> blocks;
  for (size_t bytes : {0, 1, 7, 16, 17, 100, 4096, 100000}) {
    auto* block = static_cast<char*>(heap.allocate(bytes));
    ASSERT_NE(block, nullptr);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 16, 0u);
    EXPECT_TRUE(all_zero(block, bytes));
    std::memset(block, 0x5a, bytes);
    for (auto [other, length] : blocks)
      EXPECT_TRUE(block >= other + length || block + bytes <= other);
    blocks.emplace_back(block, bytes);
  }
}

TEST(Heap, LargeAlignmentsAreKept) {
  Heap heap(limit);
  heap.allocate(24);
  for (size_t alignment : {32, 64, 256, 4096})
    EXPECT_EQ(reinterpret_cast<uintptr_t>(heap.allocate(40, alignment)) % alignment, 0u) << alignment;
}

TEST(Heap, ReleasedBlocksComeBackAsZeros) {
  Heap heap(limit);
  void* first = heap.allocate(1000);
  std::memset(first, 1, 1000);
  heap.release(first);
  void* second = heap.allocate(990);
  EXPECT_EQ(first, second);
  EXPECT_TRUE(all_zero(second, 990));
}

TEST(Heap, ALoopOfAllocationsNeedsNoMoreThanOneBlock) {
  Heap heap(limit);
  for (int i = 0; i < 10000; ++i) {
    void* block = heap.allocate(limit / 8);
    ASSERT_NE(block, nullptr);
    heap.release(block);
    if (i > 3)
      i += 500; // zeroing 2 MiB each time takes its time
  }
}

TEST(Heap, GrowingABlockKeepsItsContent) {
  Heap heap(limit);
  auto* block = static_cast<char*>(heap.reallocate(nullptr, 10));
  std::memcpy(block, "123456789", 10);
  block = static_cast<char*>(heap.reallocate(block, 5000));
  EXPECT_STREQ(block, "123456789");
  EXPECT_TRUE(all_zero(block + 10, 4990));
  block = static_cast<char*>(heap.reallocate(block, 4));
  EXPECT_EQ(std::memcmp(block, "1234", 4), 0);
}

TEST(Heap, GrowingABlockKeepsItsTapeIndices) {
  Heap heap(limit);
  runtime::begin_run();
  auto* block = static_cast<double*>(heap.allocate(16));
  runtime::set_shadow(block + 1, 42);
  block = static_cast<double*>(heap.reallocate(block, 1 << 16));
  EXPECT_EQ(runtime::shadow_index(block + 1), 42u);
}

TEST(Heap, AFreshBlockHasNoIndicesOfItsFormerLife) {
  Heap heap(limit);
  runtime::begin_run();
  auto* block = static_cast<double*>(heap.allocate(16));
  runtime::set_shadow(block, 42);
  heap.release(block);
  ASSERT_EQ(heap.allocate(16), block);
  EXPECT_EQ(runtime::shadow_index(block), 0u);
}

TEST(Heap, HasALimit) {
  Heap heap(limit);
  EXPECT_EQ(heap.allocate(limit + 1), nullptr);
  EXPECT_EQ(heap.allocate(SIZE_MAX), nullptr);
  EXPECT_EQ(heap.allocate(16, SIZE_MAX / 2 + 1), nullptr);
  uint64_t got = 0;
  while (heap.allocate(1 << 20))
    got += 1 << 20;
  EXPECT_GE(got, limit - (2u << 20));
  EXPECT_LE(got, limit);
}

TEST(Heap, ResetBringsBackTheMarkedState) {
  Heap heap(limit);
  auto* kept = static_cast<char*>(heap.allocate(100));
  std::strcpy(kept, "kept");
  heap.mark();
  void* first = heap.allocate(5000);
  std::memset(first, 1, 5000);
  heap.reset();
  EXPECT_STREQ(kept, "kept");
  void* again = heap.allocate(5000);
  EXPECT_EQ(first, again);
  EXPECT_TRUE(all_zero(again, 5000));
}

TEST(Heap, AGreedyCallLeavesZerosBehind) {
  Heap heap(256u << 20);
  heap.allocate(100);
  heap.mark();
  for (int i = 0; i < 100; ++i)
    std::memset(heap.allocate(1 << 20), 1, 1 << 20);
  heap.reset();
  for (int i = 0; i < 100; ++i)
    EXPECT_TRUE(all_zero(heap.allocate(1 << 20), 1 << 20));
}

TEST(Heap, ABlockFromBeforeTheMarkIsNeverGivenToALaterCall) {
  Heap heap(limit);
  void* kept = heap.allocate(100);
  heap.mark();
  heap.release(kept); // by a call; the next call has it again
  heap.reset();
  EXPECT_NE(heap.allocate(100), kept);
}

TEST(Heap, KnowsItsOwnBlocks) {
  Heap heap(limit);
  int local = 0;
  EXPECT_TRUE(heap.owns(heap.allocate(8)));
  EXPECT_FALSE(heap.owns(&local));
  EXPECT_FALSE(heap.owns(nullptr));
  heap.release(nullptr);
  heap.release(&local);
  EXPECT_TRUE(heap.owns(heap.allocate(8)));
}

} // namespace
} // namespace faultline::exec
