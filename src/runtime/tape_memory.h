// The memory behind the ABI: the tape, the shadow and the state block of this process. There is one of each, since a
// worker runs one target at a time.
#pragma once

#include "runtime/abi.h"

#include <span>

namespace faultline::runtime {

struct TapeMemory {
  Record* records = nullptr; // tape_capacity of them, then the unmapped guard
  ShadowEntry* shadow = nullptr;
  State* state = nullptr;
};

// Maps the memory on first use; throws std::bad_alloc if the system refuses.
TapeMemory& tape_memory();

// Empties the tape for the next run. The shadow is not cleared: a new generation invalidates it.
void begin_run();
// The same for a run that writes no records. The records of the last taped run stay.
void begin_untaped_run();
// The number of taped runs so far.
inline uint64_t taped_runs_begun = 0;
inline uint64_t taped_runs() { return taped_runs_begun; }

// The shadow of a float of `bytes` bytes at an address. `shadow_index` returns 0 if the entry belongs to another
// address or another run.
void set_shadow(const void* address, uint32_t index, uint64_t bytes = 8);
uint32_t shadow_index(const void* address, uint64_t bytes = 8);

// Sets whether the code under test has floats of 2 bytes. If so, copies examine every second byte.
void expect_halves(bool expected);
uint64_t copied_granule();

// Data flow of memcpy, memmove and memset.
void copy_shadow(void* to, const void* from, uint64_t bytes);
void clear_shadow(void* to, uint64_t bytes);

// Sets the number of records, at most tape_capacity, after which a run outgrows the tape. The guard begins near there.
void limit_tape(uint64_t records);
uint64_t tape_limit();

// True if the address is in the guard behind the tape. A fault there means that the run outgrew the tape.
bool in_tape_guard(const void* address);

// Data that a taped run leaves in the memory of this process. It is leased: the next taped run overwrites it, and
// reading it after that aborts the process.
[[noreturn]] void fail_stale();

template <typename T> class Leased {
public:
  Leased() = default;
  // Leases data of the last run that began.
  explicit Leased(std::span<const T> items) : items_(items), run_(taped_runs()) {}
  // Wraps data whose owner keeps it as long as it is read.
  static Leased kept(std::span<const T> items) {
    Leased some(items);
    some.run_ = kept_by_owner;
    return some;
  }

  // True if no other taped run has begun since.
  bool current() const { return run_ == taped_runs() || run_ == kept_by_owner; }
  void check() const {
    if (!current()) [[unlikely]]
      fail_stale();
  }

  size_t size() const { return items_.size(); }
  const T& operator[](size_t index) const {
    check();
    return items_[index];
  }
  std::span<const T> all() const {
    check();
    return items_;
  }
  auto begin() const { return all().begin(); }
  auto end() const { return all().end(); }
  Leased first(size_t count) const {
    Leased some = *this;
    some.items_ = items_.first(count);
    return some;
  }

private:
  static constexpr uint64_t kept_by_owner = ~uint64_t(0);

  std::span<const T> items_;
  uint64_t run_ = 0;
};

using Records = Leased<Record>;

} // namespace faultline::runtime
