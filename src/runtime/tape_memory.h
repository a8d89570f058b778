// The memory behind the ABI: the tape, the shadow and the state block of this process. One of each: a worker runs one
// target at a time.
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

// Empties the tape for the next run. The shadow is not cleared: a new generation invalidates it at once.
void begin_run();
// The same for a run that writes no records: those of the last taped run stay.
void begin_untaped_run();
// How many taped runs have begun.
inline uint64_t taped_runs_begun = 0;
inline uint64_t taped_runs() { return taped_runs_begun; }

// Shadow of a float of so many bytes at one address. `shadow_index` is 0 when the entry belongs to another address or
// another run.
void set_shadow(const void* address, uint32_t index, uint64_t bytes = 8);
uint32_t shadow_index(const void* address, uint64_t bytes = 8);

// Whether the code under test has floats of 2 bytes: then copies look at every second byte.
void expect_halves(bool expected);
uint64_t copied_granule();

// Data flow of memcpy, memmove and memset.
void copy_shadow(void* to, const void* from, uint64_t bytes);
void clear_shadow(void* to, uint64_t bytes);

// From now on a run outgrows the tape after about so many records: the guard begins there. At most tape_capacity.
void limit_tape(uint64_t records);
uint64_t tape_limit();

// Is this the address of the guard behind the tape? A fault there means that the run outgrew the tape.
bool in_tape_guard(const void* address);

// What a taped run leaves in the memory of this process, on lease: the next taped run writes over it. Reading it after
// that ends the process.
[[noreturn]] void fail_stale();

template <typename T>
class Leased {
public:
  Leased() = default;
  // Of the run that was the last to begin.
  explicit Leased(std::span<const T> items) : items_(items), run_(taped_runs()) {}
  // Of an owner that keeps them as long as they are read.
  static Leased kept(std::span<const T> items) {
    Leased some(items);
    some.run_ = kept_by_owner;
    return some;
  }

  // Has no other taped run begun since?
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
