// FPCore's operations and constants (FPBench 2.0, section "Supported operations"): what each becomes in C, and in the
// mathematics of a meaning (docs/meaning.md).
#pragma once

#include "numeric/format.h"

#include <cstdint>
#include <gmpxx.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace faultline::frontend::fpcore {

enum class OperatorKind : uint8_t {
  arithmetic, // an operator of C
  function,   // a function of the C library, of numbers
  comparison, // of two or more numbers
  test,       // of one number: isnan, signbit
  logic,      // and, or, not
};

struct Operator {
  const char* name;
  OperatorKind kind;
  int least, most;     // operands; most < 0: any number
  const char* c;       // an operator, or the name of a function of double
  const char* meaning; // with $1, $2, $3 for the operands; none: it cannot be expressed
};

const Operator* find_operator(std::string_view name);
const std::vector<Operator>& all_operators();

struct Constant {
  const char* name;
  const char* digits; // enough for every format: inf and nan are themselves
  const char* meaning;
};
const Constant* find_constant(std::string_view name);

// Names of C, and of what all bitcode may hold, that a function or an input cannot have.
bool is_taken_name(std::string_view name);

// A name of C like this one: what C does not have in names becomes _.
std::string c_name(std::string_view name);

// The numbers that FPCore's text has: exact, and then rounded once to a format.
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
