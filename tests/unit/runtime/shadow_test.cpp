// The shadow memory: which record stands behind an address.
#include "runtime/tape_memory.h"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace faultline::runtime {
namespace {

TEST(Shadow, RemembersTheIndexOfAnAddress) {
  begin_run();
  double cells[3];
  set_shadow(&cells[0], 7);
  set_shadow(&cells[1], 8);
  EXPECT_EQ(shadow_index(&cells[0]), 7u);
  EXPECT_EQ(shadow_index(&cells[1]), 8u);
  EXPECT_EQ(shadow_index(&cells[2]), 0u);
}

TEST(Shadow, NeighbouringFloatsAreTwoThings) {
  begin_run();
  float cells[2];
  set_shadow(&cells[0], 7);
  set_shadow(&cells[1], 8);
  EXPECT_EQ(shadow_index(&cells[0]), 7u);
  EXPECT_EQ(shadow_index(&cells[1]), 8u);
}

TEST(Shadow, ForgetsEverythingWithTheNextRun) {
  begin_run();
  double cell;
  set_shadow(&cell, 7);
  begin_run();
  EXPECT_EQ(shadow_index(&cell), 0u);
}

TEST(Shadow, IsNotFooledWhenTheRunsAreCountedFromTheStartAgain) {
  double cell;
  begin_run();
  set_shadow(&cell, 7);
  for (int i = 0; i < 1 << 16; ++i) { // the number of the run has 16 bits
    begin_run();
    ASSERT_EQ(shadow_index(&cell), 0u) << i;
  }
}

TEST(Shadow, AnAddressThatSharesTheEntryIsNotTakenForTheOther) {
  begin_run();
  std::vector<double> memory(shadow_entries); // twice what the shadow spans
  double *one = &memory[10], *other = one + shadow_entries * shadow_granule / sizeof(double);
  set_shadow(one, 7);
  EXPECT_EQ(shadow_index(other), 0u);
  set_shadow(other, 8);
  EXPECT_EQ(shadow_index(one), 0u);
  EXPECT_EQ(shadow_index(other), 8u);
}

TEST(Shadow, AConstantHasNoRecord) {
  begin_run();
  double cell;
  set_shadow(&cell, 7);
  set_shadow(&cell, constant_flag | 3);
  EXPECT_EQ(shadow_index(&cell), 0u);
}

std::vector<uint32_t> indices(const std::vector<float>& cells) {
  std::vector<uint32_t> all;
  for (const float& cell : cells)
    all.push_back(shadow_index(&cell));
  return all;
}

std::vector<float> numbered(uint32_t count) {
  begin_run();
  std::vector<float> cells(count);
  for (uint32_t i = 0; i < count; ++i)
    set_shadow(&cells[i], i + 1);
  return cells;
}

TEST(Shadow, MovesUpOverItself) {
  auto cells = numbered(6);
  runtime::copy_shadow(&cells[2], &cells[0], 4 * sizeof(float));
  EXPECT_EQ(indices(cells), (std::vector<uint32_t>{1, 2, 1, 2, 3, 4}));
}

TEST(Shadow, MovesDownOverItself) {
  auto cells = numbered(6);
  runtime::copy_shadow(&cells[0], &cells[2], 4 * sizeof(float));
  EXPECT_EQ(indices(cells), (std::vector<uint32_t>{3, 4, 5, 6, 5, 6}));
}

TEST(Shadow, ACopyOfUnknownMemoryIsUnknown) {
  auto cells = numbered(3);
  std::vector<float> fresh(3);
  runtime::copy_shadow(&cells[0], &fresh[0], 2 * sizeof(float));
  EXPECT_EQ(indices(cells), (std::vector<uint32_t>{0, 0, 3}));
}

TEST(Shadow, AnOddNumberOfBytesCopiesTheWholeGranulesBeforeIt) {
  auto cells = numbered(4);
  std::vector<float> target(4);
  runtime::copy_shadow(&target[0], &cells[0], 9);
  EXPECT_EQ(shadow_index(&target[0]), 1u);
  EXPECT_EQ(shadow_index(&target[1]), 2u);
  EXPECT_EQ(shadow_index(&target[3]), 0u);
}

TEST(Shadow, ClearingLeavesTheNeighboursAlone) {
  auto cells = numbered(4);
  runtime::clear_shadow(&cells[1], 2 * sizeof(float));
  EXPECT_EQ(indices(cells), (std::vector<uint32_t>{1, 0, 0, 4}));
}

TEST(Shadow, ClearingMoreThanTheShadowSpansEnds) {
  auto cells = numbered(1);
  runtime::clear_shadow(&cells[0], uint64_t(1) << 40);
  EXPECT_EQ(indices(cells), (std::vector<uint32_t>{0}));
}

TEST(TapeMemory, ARunStartsWithAnEmptyTape) {
  tape_memory().state->cursor = 99;
  begin_run();
  EXPECT_EQ(tape_memory().state->cursor, 1u);
}

TEST(TapeMemory, KnowsTheGuardBehindTheTape) {
  const Record* end = tape_memory().records + tape_capacity;
  EXPECT_FALSE(in_tape_guard(end - 1));
  EXPECT_TRUE(in_tape_guard(end));
  EXPECT_TRUE(in_tape_guard(end + tape_guard_records - 1));
  EXPECT_FALSE(in_tape_guard(end + tape_guard_records));
}

} // namespace
} // namespace faultline::runtime
