// Calls of code that is not instrumented, in a lifted run. Such code gets the values of high precision rounded to their
// formats, so what it makes of them is not what exact arithmetic would make of the exact ones. How much that changes
// is unknown: a modulo may lose all correct digits. So a value that was made from rounded values by such
// code says so (Lifter::made_with), and what is computed from it does. Code that adds up (Fortran's matmul, sum and
// norm2) rounds on its way, and may lose all digits of exact values, too.
//
// A call may get its values through memory, and leave its results there. How much memory belongs to a pointer is known
// for objects of the calling function; else a part that most arrays fill is looked at. What a call keeps in its own
// memory and hands out later, or returns as an integer, is not seen.
#pragma once

#include <cstdint>
#include <vector>

namespace faultline::runtime {

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

} // namespace faultline::runtime
