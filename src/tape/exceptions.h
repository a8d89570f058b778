// Reader: the operations that turned finite operands into an infinity, a NaN, a subnormal or a zero they should not be
// (Ariadne's definitions, ops/table.h). An operation that merely passes on an infinity or a NaN is not one of them.
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

// In the order of execution; the first is where Ariadne's run ends.
std::vector<ExceptionEvent> exceptions(const Tape& tape);

ops::Exception exception_of(const Tape& tape, uint32_t index);

// Which records have a part in an output, a comparison or a conversion to an integer. The optimiser lets operations run
// whose results nobody wants (both sides of a conditional expression): what they raise is no fault of the program.
std::vector<bool> used_records(const Tape& tape);

// Can the record have raised one at all? Fast: looks at the result only.
bool may_be_exceptional(const Tape& tape, uint32_t index);

// The records that may be exceptions, found fast: the results of a tape are looked at as bits, and of the sites only a
// few bytes that stay in the cache. What a run of thousands of NaNs hands on is passed over without a second look.
class ExceptionScan {
public:
  explicit ExceptionScan(const runtime::SiteTable& table);

  // Calls `look` with each record that may be one (exception_of tells), until it says true; says whether it did.
  // `tiny`: also those whose result is a zero or subnormal.
  template <class Look>
  bool scan(const Tape& tape, bool tiny, Look look) const {
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
  static Size size_of_any(long double value, numeric::Format format);
  static Size size_of_conversion(const Tape& tape, uint32_t index);
  Size size_of_operand(const Tape& tape, uint32_t operand) const;
  // An operation on a NaN, and an infinity made of one, raise nothing.
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

// Reader: what became of a value that an exception made. An infinity or NaN is followed forward as long as what is
// computed from it is an infinity or NaN too; either it reaches an output, or somebody ended it. An underflow leaves a
// number like any other: all that is computed from it counts.
//
// A value that is dropped by a choice (a conditional expression) leaves no record. The comparison that decided does, so
// it is named.
enum class End : uint8_t {
  output,     // it reaches an output that is judged
  unjudged,   // it reaches an output that is not
  arithmetic, // an operation made a finite number of it
  comparison, // it was compared, and that was all
  conversion, // it was converted to an integer, and that was all
  unused,     // nobody wanted it
};

struct Fate {
  End end = End::unused;
  size_t output = 0;    // of the first two: which, as the target counts its outputs
  uint32_t record = 0;  // of the others: the operation that ended it,
  uint32_t operand = 0; // and the operand that it did this to
};

class Fates {
public:
  // `judged`: indices of outputs.
  Fates(const Tape& tape, const std::vector<size_t>& judged);

  // Of the infinity or NaN that this record made.
  Fate of_nonfinite(uint32_t record) const;
  // Of the number that this record made. It never ends in arithmetic.
  Fate of_number(uint32_t record) const;

private:
  template <class Passes>
  Fate follow(uint32_t record, Passes passes) const;

  const Tape& tape_;
  const std::vector<size_t>& judged_;
  std::vector<bool> wanted_; // records that a judged output depends on
};

// Where an infinity or NaN came from: the record that made it of finite operands, or the input or leaf that was one; 0
// if it was a constant.
uint32_t source_of_nonfinite(const Tape& tape, uint32_t record);

// The underflow behind a pole: the operation that made the zero which this record divides by or takes the logarithm of,
// where that zero should be a small number; 0 if there is none.
uint32_t underflow_behind(const Tape& tape, uint32_t record);

// The operand of the record that is an infinity or NaN, as the record names it; 0 if there is none.
uint32_t nonfinite_operand(const Tape& tape, uint32_t record);

} // namespace faultline::tape
