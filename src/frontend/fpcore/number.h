// The numbers that FPCore's text has: exact, and then rounded once to a format.
#pragma once

#include "numeric/format.h"

#include <gmpxx.h>
#include <optional>
#include <string>
#include <string_view>

namespace faultline::frontend::fpcore {

struct Number {
  mpq_class value;
  bool negative_zero = false; // -0.0

  bool operator<(const Number& other) const { return value < other.value; }
};

// 12, -1.5e-3, 0x1.8p3, 1/3. None: it is no number, or has more than a few thousand digits, or an exponent that no
// format has.
std::optional<Number> number_of(std::string_view text);
// (digits m e b): m * b^e.
std::optional<Number> number_of_digits(std::string_view mantissa, std::string_view exponent, std::string_view base);

// To nearest, ties to even; an infinity where the number is too large.
long double rounded(const Number& number, numeric::Format format);
// The smallest value of the format that is not below the number (above it, if `strictly`), and the largest that is not
// above it. Infinities where there is none.
long double rounded_up(const Number& number, numeric::Format format, bool strictly);
long double rounded_down(const Number& number, numeric::Format format, bool strictly);

// (1/3), 12, (-5): for a meaning.
std::string exact_text(const Number& number);

// The shortest that reads back as the same value of the format.
std::string decimal_text(long double value, numeric::Format format);
// As :precision has it.
const char* precision_name(numeric::Format format);

// A constant of C, of this format.
std::string c_literal(long double value, numeric::Format format);

} // namespace faultline::frontend::fpcore
