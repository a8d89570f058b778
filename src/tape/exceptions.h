// Reader: the operations that turned finite operands into an infinity, a NaN, or an unexpected subnormal or zero
// (Ariadne's definitions, ops/table.h). Operations that merely pass on an infinity or a NaN are excluded.
#pragma once

#include "ops/table.h"
#include "tape/tape.h"

#include <bit>
#include <vector>

namespace faultline::tape {

struct ExceptionEvent {
  uint32_t record = 0;
  ops::Exception kind = ops::Exception::none;
};

// In the order of execution. Ariadne's run ends at the first.
std::vector<ExceptionEvent> exceptions(const Tape& tape);

ops::Exception exception_of(const Tape& tape, uint32_t index);

// Finds the records that an output, a comparison or a conversion to an integer depends on. The optimiser may execute
// operations whose results are unused (both sides of a conditional expression); their exceptions are not faults of the
// program.
std::vector<bool> used_records(const Tape& tape);

// True if the record may have raised an exception. Fast: inspects the result only.
bool may_be_exceptional(const Tape& tape, uint32_t index);

// Finds the records that may be exceptions. It is fast: it inspects the bits of the results, and of each site only a
// few bytes that stay in the cache. Operations that only propagate NaNs are skipped early.
class ExceptionScan {
public:
  explicit ExceptionScan(const runtime::SiteTable& table);

  // Calls `look` with each record that may be an exception (exception_of decides) until it returns true. Returns
  // whether it did. `tiny` includes records whose result is zero or subnormal.
  template <class Look> bool scan(const Tape& tape, bool tiny, Look look) const {
    for (uint32_t index = 1; index < tape.size(); ++index) {
      const Record& record = tape.record(index);
      const Entry entry = entries_[record.site];
      if (entry.kind == skipped)
        continue;
      const Size size = entry.kind == integer ? size_of_conversion(tape, index) : size_of(record.result, entry.format);
      if (size == Size::ordinary || (size == Size::tiny && !tiny))
        continue;
      if (size > Size::tiny && entry.kind == operation && hands_on(tape, record, entry.arity, size))
        continue;
      if (look(index))
        return true;
    }
    return false;
  }

private:
  enum Kind : uint8_t { skipped, operation, integer };
  struct Entry {
    Kind kind;
    uint8_t arity;
    numeric::Format format;
  };
  enum class Size : uint8_t { ordinary, tiny, infinite, nan };

  static Size size_of(const runtime::Value& value, numeric::Format format) {
    if (format == numeric::Format::binary64) [[likely]] {
      const uint64_t exponent = value.bits & 0x7ff0000000000000;
      return exponent == 0 ? Size::tiny : exponent != 0x7ff0000000000000 ? Size::ordinary : beyond(value.bits << 12);
    }
    if (format == numeric::Format::binary32) {
      const auto bits = std::bit_cast<uint32_t>(value.f);
      const uint32_t exponent = bits & 0x7f800000;
      return exponent == 0 ? Size::tiny : exponent != 0x7f800000 ? Size::ordinary : beyond(bits << 9);
    }
    return numeric::is_widest(format) ? size_of_any(value.x, format) : size_of_any(value.f, format);
  }
  static Size beyond(uint64_t fraction) { return fraction == 0 ? Size::infinite : Size::nan; }
  static Size size_of_any(numeric::Value value, numeric::Format format);
  static Size size_of_conversion(const Tape& tape, uint32_t index);
  Size size_of_operand(const Tape& tape, uint32_t operand) const;
  // Operations on a NaN, and infinities made of an infinity, raise nothing.
  bool hands_on(const Tape& tape, const Record& record, int arity, Size size) const {
    const uint32_t operands[] = {record.a, record.b, record.c};
    for (int i = 0; i < arity; ++i)
      if (const Size of = size_of_operand(tape, operands[i]);
          of == Size::nan || (of == Size::infinite && size == Size::infinite))
        return true;
    return false;
  }

  std::vector<Entry> entries_; // by site
};

// Reader: what happened to a value that an exception produced. An infinity or NaN is followed forward as long as the
// results computed from it are infinities or NaNs too. Either it reaches an output, or an operation ends it. After an
// underflow, everything computed from the result counts.
//
// A value dropped by a choice (a conditional expression) leaves no record. The comparison that decided leaves one, so
// that comparison is reported.
enum class End : uint8_t {
  output,     // it reaches a judged output
  unjudged,   // it reaches an output that is not judged
  arithmetic, // an operation turned it into a finite number
  comparison, // it was only compared
  conversion, // it was only converted to an integer
  unused,     // no operation used it
};

struct Fate {
  End end = End::unused;
  size_t output = 0;    // for `output` and `unjudged`: the index among the target's outputs
  uint32_t record = 0;  // otherwise: the operation that ended it
  uint32_t operand = 0; // and the operand that it ended
};

class Fates {
public:
  // `judged` holds indices of outputs.
  Fates(const Tape& tape, const std::vector<size_t>& judged);

  // The fate of the infinity or NaN that this record produced.
  Fate of_nonfinite(uint32_t record) const;
  // The fate of the number that this record produced. It never ends in arithmetic.
  Fate of_number(uint32_t record) const;

private:
  template <class Passes> Fate follow(uint32_t record, Passes passes) const;

  const Tape& tape_;
  const std::vector<size_t>& judged_;
  std::vector<bool> wanted_; // records that a judged output depends on
};

// Returns the origin of an infinity or NaN: the record that produced it from finite operands, or the input or leaf that
// was one; 0 for a constant.
uint32_t source_of_nonfinite(const Tape& tape, uint32_t record);

// Returns the underflow behind a pole: the operation whose zero this record divides by or takes the logarithm of, where
// that zero should be a small number; 0 if there is none.
uint32_t underflow_behind(const Tape& tape, uint32_t record);

// Returns the operand of the record that is an infinity or NaN, as the record refers to it; 0 if there is none.
uint32_t nonfinite_operand(const Tape& tape, uint32_t record);

} // namespace faultline::tape
