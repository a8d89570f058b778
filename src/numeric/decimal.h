// Numbers as text that can be pasted back.
//
// Always uses the C locale's notation: a comma in a report would be a different number in a test.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "numeric/format.h"

namespace faultline::numeric {

// Returns the shortest decimal that reads back as the same value in the same type: "inf", "-inf", "nan", "-0".
std::string shortest_decimal(float value);
std::string shortest_decimal(double value);
std::string shortest_decimal(long double value);
std::string shortest_decimal(Value value, Format format);
// Returns the double whose shortest decimal is that of the value, for formats that std::to_chars does not know.
double printable(Value value, Format format);
// Returns the number whose shortest decimal is that of the value.
template <class Float> auto printable(Float value) {
  if constexpr (std::is_floating_point_v<Float>)
    return value;
  else
    return printable(Value(value), format_of_type<Float>());
}

// Shortens the numbers in a text: 1e9 for 1e+09, 7.45e-9 for 7.45e-09.
std::string as_typed(const std::string& text);
// Returns a decimal of at most `digits` significant digits in short notation: 1.2e-4, 1e9, 0.25.
std::string brief_decimal(Value value, int digits);

Value power_of_ten(int power); // rounded once, up to 10^27 and down to 10^-27

// Returns the nearest value with `digits` significant decimal digits, or the value itself if that would be infinite.
Value rounded_decimal(Value value, int digits);

// Formats as C's %a, with one leading 1 for every nonzero value: "0x1.ad7f29abcaf48p-24", "0x1p-1074", "-0x0p+0". The
// type does not matter, since Value holds every float.
std::string hex_float(Value value);

// Reads a number that a user wrote: decimal or hexadecimal with optional sign, point and exponent; "inf", "infinity",
// "nan" in any case. Rounds once, to the nearest value of the format. Returns nothing for any other text. The same
// holds if a finite number would become infinite or a nonzero one zero, since the format lacks the number that the user
// meant.
std::optional<Value> parse_number(std::string_view text, Format format);
std::optional<double> parse_double(std::string_view text);
std::optional<long double> parse_long_double(std::string_view text);

} // namespace faultline::numeric
