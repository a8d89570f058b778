// Lifted execution: the code under test runs with a high-precision shadow for each value. The shadows decide
// comparisons and conversions to integers, so the program takes its own high-precision path. The native value of every
// operation is its rounded shadow, so values that leave the instrumented code are the best that their format allows.
//
// Shadows live in slots, which the indices of the ABI refer to. A long run would fill the memory, and instrumented code
// never releases an index, so slots are garbage-collected. Roots are the shadow memory, the state block and every
// 32-bit word of the stack that could be an index. (This is conservative: a word that looks like an index by chance
// keeps a slot alive, which only costs memory.)
#pragma once

#include "numeric/format.h"
#include "ops/error_bound.h"
#include "runtime/abi.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mpfr.h>
#include <span>
#include <vector>

namespace faultline::runtime {

// Calls of uninstrumented code in a lifted run. Such code receives the high-precision values rounded to their formats,
// so its results differ from those for the exact values. The difference is unknown: a modulo may lose all correct
// digits. So a value that such code computed from rounded values is marked (Lifter::made_with), and so are the values
// computed from it. Code that accumulates (Fortran's matmul, sum and norm2) rounds internally and may lose all digits
// of exact values too.
//
// A call may receive values and return results through memory. The extent of a pointer's memory is known for objects of
// the calling function; otherwise a part that most arrays fill is examined. Values that a call stores internally and
// returns later, or returns as an integer, are not tracked.

// `descriptor`: a pointer to a Fortran array descriptor, which begins with the address of the elements. `only_read`:
// the same for elements that are not written.
enum class PointerKind : uint32_t { data, descriptor, only_read };

struct MemoryRange {
  uint64_t address = 0;
  uint64_t bytes = 0;
};

class ForeignCalls {
public:
  void clear();

  // Functions are numbered from 1; 0 is a call that turned out to be of instrumented code. `rounds`: the call always
  // counts as given rounded values.
  void begin(uint32_t function, bool rounds = false);
  uint32_t current() const { return current_; }
  // Notes that the current call received a rounded value.
  void note_rounded();
  void pass(const MemoryRange& range);
  // Returns the current function if it received rounded values, else 0.
  uint32_t rounded_call() const { return rounded_ ? current_ : 0; }

  // Follows a copy of memory by the code under test.
  void copy(uint64_t to, uint64_t from, uint64_t bytes);

  // True if a function with rounded values may have written to this range.
  bool wrote_into(const MemoryRange& range) const;
  // Returns the last function that received rounded values and may have written here; 0 if there is none.
  uint32_t writer_of(uint64_t address) const;

private:
  struct WrittenRange {
    MemoryRange range;
    uint32_t function;
  };
  void note_written();
  void add(const WrittenRange& written);

  uint32_t current_ = 0;
  bool rounded_ = false;
  std::vector<MemoryRange> passed_; // to the current call
  std::vector<WrittenRange> written_;
};

// The shadow memory of lifted execution: an exact map from addresses to indices. The tape's shadow is a lossy cache; a
// miss costs data flow. Here a miss would cost precision and make the oracle wrong.
class ShadowMap {
public:
  void clear();
  void set(uint64_t address, uint32_t index); // 0 erases
  uint32_t get(uint64_t address) const;
  void copy(uint64_t to, uint64_t from, uint64_t bytes); // as memmove
  void erase(uint64_t from, uint64_t bytes);

  // Returns the index of the float that begins in this granule, or in one of the two before it; and how many bytes
  // before. 0 if there is none.
  struct Found {
    uint32_t index = 0;
    uint64_t before = 0;
  };
  Found get_containing(uint64_t address) const;
  // Notes that the code stores an integer there, which contains bits of a float or is 0.
  void change(uint64_t address, uint64_t bytes, uint32_t bits);
  // Returns the float whose bits the float at this address contains since a change; 0 if there is none.
  uint32_t changed(uint64_t address) const;

  template <typename Visit> void for_each_index(Visit visit) const {
    for (const Entry& entry : entries_)
      if (entry.index != 0)
        visit(entry.index);
  }

private:
  struct Entry {
    uint64_t address = 0;
    uint32_t index = 0; // 0: free or erased
    bool changed = false;
  };
  size_t slot(uint64_t address) const; // of the address, or the free one for it
  void grow();

  std::vector<Entry> entries_ = std::vector<Entry>(1024);
  size_t used_ = 0;
};

// A comparison or a conversion to an integer: its site and its outcome (0, 1, or the integer).
struct Decision {
  uint32_t site = 0;
  int64_t outcome = 0;
};

// Returns the hash of the path extended by a decision.
inline uint64_t extend_path(uint64_t path, const Decision& decision) {
  return ((path ^ decision.site) * 0x9e3779b97f4a7c15u ^ uint64_t(decision.outcome)) * 0xd6e8feb86659fd93u;
}

// The origin of a lifted value: an operation of the code; an input, a constant or an integer; or elsewhere.
enum class Origin : uint8_t { operation, leaf, found };

// A format, and the source line of an instruction, in one word of the ABI.
struct FloatPlace {
  numeric::Format format;
  uint32_t line;
  explicit FloatPlace(uint32_t word)
      : format(numeric::Format(word & ((1u << line_shift) - 1))), line(word >> line_shift) {}
};

// Code that works on the bits of floats. In a lifted run it works on the bits of rounded shadows. The lifter follows
// the bits through integers to the float that the code makes of them. It recognises by the bits what became of the
// value: it is the same number with another sign or exponent (fabs, copysign, frexp, scalbn); it is a power of two; or
// it is the number with its last digits cut off or rounded, which code uses to split a number, and is then a leaf. All
// other floats made of the bits of a rounded value are unknown (Lifter::made_with).
// Lifter::made_with for a float that is unknown because of this. The rest of the number is the source line. The line of
// bits of several rounded values is 0 until a float is made of them.
inline constexpr uint32_t made_of_bits = uint32_t(1) << 31;
// The same for a float that is computed from a product or quotient with a huge constant that is too large for its
// format: the code may mean infinity, or the number. The rest is the source line.
inline constexpr uint32_t made_of_overflow = uint32_t(1) << 30;

// The bits that a lifted run looked at: of rounded values, and of numbers that their format rounds to infinity. The
// latter say "infinite", the number is finite, and the code takes the wrong path.
struct BitsRead {
  bool of_rounded = false;
  bool of_overflown = false;
  uint32_t line = 0; // of the first bits of a number that overflows
};

// How a lifted run differs from exact arithmetic with the code's own constants.
struct LiftVariation {
  int tightening = 0;                          // tolerances of loops are scaled by 2^-tightening
  std::span<const long double> constants = {}; // values of the program's constants; if empty, their own
  // Each result is rounded to the other one of its two neighbours. Bits of floats are then other ones. A reference that
  // changes depends on roundings, which it should not.
  bool other_neighbours = false;
};

class Lifter {
public:
  Lifter(const SiteTable& table, long precision);
  ~Lifter();
  Lifter(const Lifter&) = delete;
  Lifter& operator=(const Lifter&) = delete;

  // Discards all values. `stack_base` is the address on the stack below which the run's frames are.
  void begin(const void* stack_base, uint64_t operation_limit, const LiftVariation& variation = {});

  uint32_t operation(uint32_t site, uint32_t a, uint32_t b, uint32_t c);
  uint32_t leaf(long double value, numeric::Format format);
  // Returns the index of the float in memory, or a leaf.
  uint32_t load(uint64_t address, long double value, FloatPlace place);
  // Notes that the code looks at the bits of a float.
  void read_bits(uint32_t index, uint32_t line);
  // Returns the float whose digits an integer at this address may contain; 0 if there is none.
  uint32_t bits_at(uint64_t address) const;
  // Returns the index of a float that the code made of an integer. `bits`: the float whose bits the integer contains.
  uint32_t from_bits(long double value, FloatPlace place, uint32_t bits);
  // Returns the float whose bits an integer contains that was computed from two: one of them, or an unknown one.
  uint32_t merged_bits(uint32_t a, uint32_t b);
  // Record an argument of the call of foreign(): a float, or memory.
  void pass(uint32_t index);
  void pass_memory(uint64_t address, uint64_t bytes, PointerKind kind);
  // Marks this leaf as a result of that call. It is accurate to its format at most, and less if the call received
  // rounded values.
  void mark_foreign(uint32_t index);
  // Marks this leaf as read from memory that no instrumented code wrote: a table, or data of other code.
  void mark_found(uint32_t index, uint64_t address);
  bool compare(uint32_t site, uint32_t a, uint32_t b);
  int64_t to_int(uint32_t site, uint32_t a, int64_t native);

  ShadowMap& memory() { return memory_; }
  ForeignCalls& foreign() { return foreign_; }
  // Returns the uninstrumented function that received rounded values and contributed to this value; 0 if there is none.
  uint32_t made_with(uint32_t index) const;
  mpfr_srcptr shadow(uint32_t index) const;
  long double native(uint32_t index) const;
  ops::ErrorExponent error(uint32_t index) const; // of the shadow
  Origin origin(uint32_t index) const;

  long precision() const { return precision_; }
  uint64_t operations() const { return operations_; }
  bool over_limit() const { return operations_ > operation_limit_; }
  // True if the run made floats of the bits of rounded values.
  bool works_on_bits() const { return works_on_bits_; }
  const BitsRead& bits_read() const { return bits_read_; }
  const std::vector<Decision>& decisions() const { return decisions_; }
  // Returns a hash of all decisions, including those beyond the stored ones.
  uint64_t path() const { return path_; }

private:
  struct Slot;
  struct Chunk;
  Slot& slot(uint32_t index) const;
  uint32_t allocate();
  void collect();
  void set_constants(std::span<const long double> values);
  void finish(Slot& slot, const Site& site);
  bool overflows_by_constant(const Site& site, const Slot& result, const uint32_t (&operands)[3]) const;
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
  bool other_neighbours_ = false;
  bool own_constants_ = true;
  BitsRead bits_read_;
  bool works_on_bits_ = false;
  mpfr_t tightened_[3];
  uint64_t path_ = 0;
  std::vector<Decision> decisions_;
};

// Callbacks of the entry points: a run must not be interrupted during their work (exec/guard.h).
struct LiftHooks {
  void (*enter)() = nullptr;
  void (*leave)() = nullptr;
  void (*abandon)() = nullptr; // the run has exceeded its operation limit
};

// Sets the lifter of this process's entry points; null in taped runs.
void set_lifter(Lifter* lifter, const LiftHooks& hooks);

} // namespace faultline::runtime
