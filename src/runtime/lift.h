// Lifted execution: the code under test runs with a high-precision shadow beside each value. Comparisons and
// conversions to integers are decided by the shadows, so the program takes its own high-precision path; the native
// value of every operation is its shadow, rounded, so that values which leave the instrumented world are the best their
// format allows.
//
// Shadows live in slots that the indices of the ABI name. A long run would fill the memory, and instrumented code never
// says that it is done with an index, so the slots are collected: the shadow memory, the state block and every 32-bit
// word of the stack that could be an index are roots; what none of them names is free. (Conservative: a word that
// happens to look like an index keeps a slot alive, which costs a slot and nothing else.)
#pragma once

#include "numeric/format.h"
#include "ops/error_bound.h"
#include "runtime/abi.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mpfr.h>
#include <vector>

namespace faultline::runtime {

// Calls of code that is not instrumented, in a lifted run. Such code gets the values of high precision rounded to their
// formats, so what it makes of them is not what exact arithmetic would make of the exact ones. How much that changes
// is unknown: a modulo may lose all correct digits. So a value that was made from rounded values by such
// code says so (Lifter::made_with), and what is computed from it does. Code that adds up (Fortran's matmul, sum and
// norm2) rounds on its way, and may lose all digits of exact values, too.
//
// A call may get its values through memory, and leave its results there. How much memory belongs to a pointer is known
// for objects of the calling function; else a part that most arrays fill is looked at. What a call keeps in its own
// memory and hands out later, or returns as an integer, is not seen.

// `descriptor`: the pointer is to an array descriptor of Fortran, which begins with the address of the elements;
// `only_read`: and these are not written.
enum class PointerKind : uint32_t { data, descriptor, only_read };

struct MemoryRange {
  uint64_t address = 0;
  uint64_t bytes = 0;
};

// What a call can reach through a pointer to so many bytes; 0 if nobody knows how many.
MemoryRange passed_range(uint64_t pointer, uint64_t bytes, PointerKind kind);

class ForeignCalls {
public:
  void clear();

  // Functions are counted from 1; 0 for a call that turned out to be of instrumented code. `rounds`: whatever it is
  // given, as if that had been rounded.
  void begin(uint32_t function, bool rounds = false);
  uint32_t current() const { return current_; }
  // The current call was given a rounded value.
  void note_rounded();
  void pass(const MemoryRange& range);
  // The current function if it was given rounded values, else 0.
  uint32_t rounded_call() const { return rounded_ ? current_ : 0; }

  // Memory is copied, by the code under test.
  void copy(uint64_t to, uint64_t from, uint64_t bytes);

  // Has such a function perhaps written into this?
  bool wrote_into(const MemoryRange& range) const;
  // The last function that was given rounded values and may have written here; 0 if there is none.
  uint32_t writer_of(uint64_t address) const;

private:
  struct Written {
    MemoryRange range;
    uint32_t function;
  };
  void note_written();
  void add(const Written& written);

  uint32_t current_ = 0;
  bool rounded_ = false;
  std::vector<MemoryRange> passed_; // to the current call
  std::vector<Written> written_;
};

// The shadow memory of lifted execution: an exact map from addresses to indices. The tape's shadow is a cache that may
// forget, which costs data flow; a lifted value that is forgotten would cost precision, and make the oracle wrong.
class ShadowMap {
public:
  void clear();
  void set(uint64_t address, uint32_t index); // 0 forgets
  uint32_t get(uint64_t address) const;
  void copy(uint64_t to, uint64_t from, uint64_t bytes); // as memmove
  void erase(uint64_t from, uint64_t bytes);

  template <typename Visit>
  void for_each_index(Visit visit) const {
    for (const Entry& entry : entries_)
      if (entry.index != 0)
        visit(entry.index);
  }

private:
  struct Entry {
    uint64_t address = 0;
    uint32_t index = 0; // 0: free, or forgotten
  };
  size_t slot(uint64_t address) const; // of the address, or the free one where it belongs
  void grow();

  std::vector<Entry> entries_ = std::vector<Entry>(1024);
  size_t used_ = 0;
};

// A comparison or a conversion to an integer: what it decided (0, 1, or the integer), and where.
struct Decision {
  uint32_t site = 0;
  int64_t outcome = 0;
};

// The hash of a path that goes on with one more decision.
inline uint64_t extend_path(uint64_t path, const Decision& decision) {
  return ((path ^ decision.site) * 0x9e3779b97f4a7c15u ^ uint64_t(decision.outcome)) * 0xd6e8feb86659fd93u;
}

// Where a lifted value comes from: an operation of the code, or an input, a constant, an integer, or somewhere else.
enum class Origin : uint8_t { operation, leaf, found };

class Lifter {
public:
  Lifter(const SiteTable& table, long precision);
  ~Lifter();
  Lifter(const Lifter&) = delete;
  Lifter& operator=(const Lifter&) = delete;

  // Forgets all values. `stack_base` is an address below which (on the stack) the frames of the run live.
  // Loops' tolerances are taken 2^-tightening times as large.
  void begin(const void* stack_base, uint64_t operation_limit, int tightening = 0);

  uint32_t operation(uint32_t site, uint32_t a, uint32_t b, uint32_t c);
  uint32_t leaf(long double value, numeric::Format format);
  // What the call of foreign() was given: a float, or memory.
  void pass(uint32_t index);
  void pass_memory(uint64_t address, uint64_t bytes, PointerKind kind);
  // This leaf is a result of that call: no more of it is right than its format holds, and less if what the call was
  // given was rounded.
  void mark_foreign(uint32_t index);
  // This leaf was read from memory that no instrumented code wrote: a table, or the work of code elsewhere.
  void mark_found(uint32_t index, uint64_t address);
  bool compare(uint32_t site, uint32_t a, uint32_t b);
  int64_t to_int(uint32_t site, uint32_t a, int64_t native);

  ShadowMap& memory() { return memory_; }
  ForeignCalls& foreign() { return foreign_; }
  // The function that is not instrumented, was given rounded values, and has a part in this value; 0 if there is none.
  uint32_t made_with(uint32_t index) const;
  mpfr_srcptr shadow(uint32_t index) const;
  long double native(uint32_t index) const;
  ops::ErrorExponent error(uint32_t index) const; // of the shadow
  Origin origin(uint32_t index) const;

  long precision() const { return precision_; }
  uint64_t operations() const { return operations_; }
  bool over_limit() const { return operations_ > operation_limit_; }
  const std::vector<Decision>& decisions() const { return decisions_; }
  // A hash of all decisions, also of those beyond the stored ones.
  uint64_t path() const { return path_; }

private:
  struct Slot;
  struct Chunk;
  Slot& slot(uint32_t index) const;
  uint32_t allocate();
  void collect();
  void finish(Slot& slot, const Site& site);
  bool is_rounded(uint32_t index) const;
  mpfr_srcptr tightened(const Site& site, int operand, mpfr_srcptr value);
  void decide(const Decision& decision);

  const SiteTable& table_;
  long precision_;
  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<std::unique_ptr<Chunk>> constants_;
  ShadowMap memory_;
  ForeignCalls foreign_;
  std::vector<uint32_t> free_;
  uint32_t next_ = 1;
  uint32_t collect_at_ = 0;
  const void* stack_base_ = nullptr;
  uint64_t operations_ = 0;
  uint64_t operation_limit_ = 0;
  int tightening_ = 0;
  mpfr_t tightened_[3];
  uint64_t path_ = 0;
  std::vector<Decision> decisions_;
};

// What the entry points do around their work: a run must not be cut short in the middle of it (exec/guard.h).
struct LiftHooks {
  void (*enter)() = nullptr;
  void (*leave)() = nullptr;
  void (*abandon)() = nullptr; // the run has done more operations than it may
};

// The lifter that the entry points of this process work on; null in taped runs.
void set_lifter(Lifter* lifter, const LiftHooks& hooks);

} // namespace faultline::runtime
