#include "runtime/tape_memory.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <sys/mman.h>

namespace faultline::runtime {

void fail_stale() {
  std::fputs("faultline: a tape was read after another run had begun\n", stderr);
  std::abort();
}

namespace {

void* reserve(uint64_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    throw std::bad_alloc();
  return memory;
}

constexpr uint64_t tape_bytes = tape_capacity * sizeof(Record);
constexpr uint64_t guard_bytes = tape_guard_records * sizeof(Record);

uint64_t limit = tape_capacity;

TapeMemory map_memory() {
  TapeMemory memory;
  memory.records = static_cast<Record*>(reserve(tape_bytes + guard_bytes));
  mprotect(reinterpret_cast<char*>(memory.records) + tape_bytes, guard_bytes, PROT_NONE);
  memory.shadow = static_cast<ShadowEntry*>(reserve(shadow_bytes));
  memory.state = static_cast<State*>(reserve(sizeof(State)));
  // No loaded value is likely to have these bits, so an entry that names record 0 is never trusted.
  memory.records[0].result.x = 0;
  memory.records[0].result.bits = 0x7ff4fa017115e000;
  memory.state->cursor = 1;
  return memory;
}

bool halves = false;

// Floats of 4 bytes and more at 2-byte alignment use the entry of their granule.
ShadowEntry& entry_of(uint64_t address, uint64_t bytes) {
  auto* base = reinterpret_cast<char*>(tape_memory().shadow);
  return *reinterpret_cast<ShadowEntry*>(base + (bytes == 2 ? shadow_offset_of_half(address) : shadow_offset(address)));
}

} // namespace

TapeMemory& tape_memory() {
  static TapeMemory memory = map_memory();
  return memory;
}

void begin_run() {
  ++taped_runs_begun;
  begin_untaped_run();
}

void begin_untaped_run() {
  TapeMemory& memory = tape_memory();
  State& state = *memory.state;
  state.cursor = 1;
  state.call_tag = 0;
  state.result_tag = 0;
  state.refused = state.ended = 0;
  state.generation += uint64_t(1) << generation_shift;
  if ((state.generation >> generation_shift) == 0) { // wrapped: old entries could look valid again
    madvise(memory.shadow, shadow_bytes, MADV_DONTNEED);
    state.generation = uint64_t(1) << generation_shift;
  }
}

void expect_halves(bool expected) { halves = expected; }
uint64_t copied_granule() { return halves ? 2 : shadow_granule; }

void set_shadow(const void* address, uint32_t index, uint64_t bytes) {
  auto where = reinterpret_cast<uint64_t>(address);
  entry_of(where, bytes) = {where + tape_memory().state->generation, is_constant(index) ? 0 : index};
}

uint32_t shadow_index(const void* address, uint64_t bytes) {
  auto where = reinterpret_cast<uint64_t>(address);
  const ShadowEntry& entry = entry_of(where, bytes);
  return entry.key == where + tape_memory().state->generation ? uint32_t(entry.index) : 0;
}

void limit_tape(uint64_t records) {
  constexpr uint64_t page = 4096 / sizeof(Record);
  records = std::clamp((records + page - 1) / page * page, page, tape_capacity);
  if (records == limit)
    return;
  Record* tape = tape_memory().records;
  const uint64_t low = std::min(records, limit), high = std::max(records, limit);
  const int access = records > limit ? PROT_READ | PROT_WRITE : PROT_NONE;
  if (mprotect(tape + low, (high - low) * sizeof(Record), access) != 0)
    throw std::bad_alloc();
  limit = records;
}

uint64_t tape_limit() { return limit; }

bool in_tape_guard(const void* address) {
  auto* tape = reinterpret_cast<const char*>(tape_memory().records);
  auto* where = static_cast<const char*>(address);
  return where >= tape + limit * sizeof(Record) && where < tape + tape_bytes + guard_bytes;
}

void copy_shadow(void* to, const void* from, uint64_t bytes) {
  auto target = reinterpret_cast<uint64_t>(to);
  auto source = reinterpret_cast<uint64_t>(from);
  const uint64_t generation = tape_memory().state->generation, granule = copied_granule();
  auto copy_granule = [&](uint64_t offset) {
    const ShadowEntry& entry = entry_of(source + offset, granule);
    uint64_t index = entry.key == source + offset + generation ? entry.index : 0;
    entry_of(target + offset, granule) = {target + offset + generation, index};
  };
  // Overlapping moves go in the same direction as memmove.
  if (target <= source)
    for (uint64_t offset = 0; offset < bytes; offset += granule)
      copy_granule(offset);
  else
    for (uint64_t offset = (bytes + granule - 1) / granule * granule; offset > 0;)
      copy_granule(offset -= granule);
}

void clear_shadow(void* to, uint64_t bytes) {
  auto target = reinterpret_cast<uint64_t>(to);
  if (bytes / shadow_granule > shadow_entries)
    bytes = shadow_entries * shadow_granule; // every entry once
  const uint64_t granule = copied_granule();
  for (uint64_t offset = 0; offset < bytes; offset += granule)
    if (ShadowEntry& entry = entry_of(target + offset, granule); entry.key << 16 == (target + offset) << 16)
      entry.key = 0;
}

} // namespace faultline::runtime
