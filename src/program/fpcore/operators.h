// FPCore's operations and constants (FPBench 2.0, section "Supported operations"), with their C and the mathematics of
// a meaning (docs/meaning.md).
#pragma once

#include "numeric/format.h"

#include <cstdint>
#include <gmpxx.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::program::fpcore {

enum class OperatorKind : uint8_t {
  arithmetic, // a C operator
  function,   // a C library function of numbers
  comparison, // of two or more numbers
  test,       // of one number: isnan, signbit
  logic,      // and, or, not
};

struct Operator {
  const char* name;
  OperatorKind kind;
  int least, most;     // operands; most < 0: any number
  const char* c;       // an operator, or the name of a function of double
  const char* meaning; // with $1, $2, $3 for the operands; null if it cannot be expressed
};

const Operator* find_operator(std::string_view name);
const std::vector<Operator>& all_operators();

struct Constant {
  const char* name;
  const char* digits; // enough for every format, or inf and nan
  const char* meaning;
};
const Constant* find_constant(std::string_view name);

// Returns a similar C name: invalid characters become _.
std::string c_name(std::string_view name);

// A number in FPCore's text: exact, and rounded once to a format.
struct Number {
  mpq_class value;
  bool negative_zero = false; // -0.0

  bool operator<(const Number& other) const { return value < other.value; }
};

// Parses 12, -1.5e-3, 0x1.8p3, 1/3. Nothing if it is not a number, has more than a few thousand digits, or an exponent
// beyond all formats.
std::optional<Number> number_of(std::string_view text);
// (digits m e b): m * b^e.
std::optional<Number> number_of_digits(std::string_view mantissa, std::string_view exponent, std::string_view base);

// Rounds to nearest, ties to even; to an infinity if the number is too large.
numeric::Value rounded(const Number& number, numeric::Format format);
// The smallest value of the format that is at least the number (greater, if `strictly`), and the largest that is at
// most the number. Infinities if there is none.
numeric::Value rounded_up(const Number& number, numeric::Format format, bool strictly);
numeric::Value rounded_down(const Number& number, numeric::Format format, bool strictly);

// Formats for a meaning: (1/3), 12, (-5).
std::string exact_text(const Number& number);

// Returns the shortest decimal that reads back as the same value of the format.
std::string decimal_text(numeric::Value value, numeric::Format format);
// The name for :precision.
const char* precision_name(numeric::Format format);

// Returns a C constant of this format.
std::string c_literal(numeric::Value value, numeric::Format format);

} // namespace faultline::program::fpcore
