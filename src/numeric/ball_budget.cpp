#include "numeric/ball_budget.h"

#include "base/clock.h"

#include <cstdlib>
#include <flint/flint.h>

namespace faultline::numeric {
namespace {

// An allocation counts as one unit, plus one per `bytes_per_unit` bytes: copying and multiplying them takes as long.
constexpr uint64_t bytes_per_unit = 4096;
constexpr uint64_t units_per_clock_check = 16;
constexpr size_t largest_block = size_t(256) << 20;
// Each stop leaks what a computation holds: at most a few megabytes of a worker's gigabyte.
constexpr int most_broken_off = 400;

thread_local bool active = false;
// Arb frees a number's old digits before it allocates new ones. A number that was being written when work stopped
// points to freed memory, which must not be freed again.
thread_local bool leaking = false;
thread_local uint64_t work = 0, most_work = 0, next_clock_check = 0;
thread_local base::Deadline deadline{0};
thread_local int broken_off = 0;

void charge(size_t bytes) {
  if (!active)
    return;
  work += 1 + bytes / bytes_per_unit;
  const bool over = work > most_work || bytes > largest_block;
  bool late = false;
  if (!over && work >= next_clock_check) {
    next_clock_check = work + units_per_clock_check;
    late = deadline.passed();
  }
  if (over || late) {
    active = false; // unwinding is free
    leaking = true;
    throw OutOfBallBudget{late};
  }
}

void* allocate(size_t bytes) {
  charge(bytes);
  void* const block = std::malloc(bytes);
  return block || bytes == 0 ? block : (std::abort(), nullptr);
}
void* allocate_zeroed(size_t count, size_t bytes) {
  charge(count * bytes);
  void* const block = std::calloc(count, bytes);
  return block || count * bytes == 0 ? block : (std::abort(), nullptr);
}
void* reallocate(void* old, size_t bytes) {
  charge(bytes);
  void* const block = std::realloc(old, bytes);
  return block || bytes == 0 ? block : (std::abort(), nullptr);
}

void release(void* block) {
  if (!leaking)
    std::free(block);
}

void install() {
  static const bool installed = [] {
    __flint_set_memory_functions(allocate, allocate_zeroed, reallocate, release);
    return true;
  }();
  (void)installed;
}

} // namespace

BallBudget::BallBudget(uint64_t most, double seconds) {
  if (broken_off >= most_broken_off)
    throw OutOfBallBudget();
  install();
  work = 0;
  most_work = most;
  next_clock_check = units_per_clock_check;
  deadline = base::Deadline(seconds);
  active = true;
}

BallBudget::~BallBudget() { active = false; }

uint64_t BallBudget::spent() const { return work; }

void forget_broken_off_work() {
  ++broken_off;
  flint_cleanup();
  leaking = false;
}

} // namespace faultline::numeric
