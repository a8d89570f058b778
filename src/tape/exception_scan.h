// The records that may be exceptions, found fast: the results of a tape are looked at as bits, and of the sites only a
// few bytes that stay in the cache. What a run of thousands of NaNs hands on is passed over without a second look.
#pragma once

#include "tape/tape.h"

#include <bit>
#include <vector>

namespace faultline::tape {

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

} // namespace faultline::tape
