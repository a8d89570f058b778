#include "numeric/decimal.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <regex>

#include <fmt/format.h>

#include "numeric/bigfloat.h"

namespace faultline::numeric {

namespace {

template <class T> std::string shortest(T value) {
  if (std::isnan(value))
    return "nan";
  char buffer[64];
  const auto [end, error] = std::to_chars(std::begin(buffer), std::end(buffer), value);
  return {buffer, end};
}

bool equal_ignoring_case(std::string_view text, std::string_view lower) {
  return std::ranges::equal(text, lower, [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }

// Accepts this grammar only. (MPFR's reader would also accept other bases, prefixes and commas.)
//   digits [. digits] [(e|p) [+|-] digits]     with at least one digit before the exponent
bool is_unsigned_number(std::string_view text, bool hexadecimal) {
  const auto take_digits = [&](bool (*is)(char)) {
    const size_t count = std::ranges::find_if_not(text, is) - text.begin();
    text.remove_prefix(count);
    return count;
  };
  const auto take = [&](char lower) {
    const bool found = !text.empty() && (text[0] | 32) == lower;
    text.remove_prefix(found ? 1 : 0);
    return found;
  };
  const auto digit = hexadecimal ? is_hex_digit : is_digit;
  size_t digits = take_digits(digit);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    digits += take_digits(digit);
  }
  if (digits == 0)
    return false;
  if (take(hexadecimal ? 'p' : 'e')) {
    if (text.starts_with('+') || text.starts_with('-'))
      text.remove_prefix(1);
    if (take_digits(is_digit) == 0)
      return false;
  }
  return text.empty();
}

// Rounding twice, to 128 bits and then to the format, could go wrong at a midpoint. So the first rounding is to odd:
// toward zero, with the last bit set if anything was cut off. The second rounding then knows the side of the midpoint.
void read_rounding_to_odd(BigFloat& value, const std::string& text, int base) {
  const int cut_off = mpfr_strtofr(value.raw(), text.c_str(), nullptr, base, MPFR_RNDZ);
  if (cut_off == 0 || !mpfr_regular_p(value.raw()))
    return;
  const mpfr_exp_t last_bit = mpfr_get_exp(value.raw()) - value.precision();
  BigFloat scaled = value;
  mpfr_mul_2si(scaled.raw(), value.raw(), -(last_bit + 1), MPFR_RNDN);
  if (mpfr_integer_p(scaled.raw()))
    mpfr_nextabove(value.raw());
}

} // namespace

std::string shortest_decimal(float value) { return shortest(value); }
std::string shortest_decimal(double value) { return shortest(value); }
std::string shortest_decimal(long double value) { return shortest(value); }
std::string shortest_decimal(Value value, Format format) {
  return with_type(format,
                   [&](auto type) { return shortest(printable(static_cast<typename decltype(type)::type>(value))); });
}

double printable(Value value, Format format) {
  for (int digits = 1; std::isfinite(value) && digits <= info(format).decimal_digits(); ++digits) {
    const std::string text = fmt::format("{:.{}e}", double(value), digits - 1);
    if (parse_number(text, format) == value)
      return parse_double(text).value_or(double(value));
  }
  return double(value);
}

std::string as_typed(const std::string& text) {
  static const std::regex exponent(R"(([0-9])e(\+|(-))0*([1-9]))");
  return std::regex_replace(text, exponent, "$1e$3$4");
}

std::string brief_decimal(Value value, int digits) { return as_typed(fmt::format("{:.{}g}", value, digits)); }

Value power_of_ten(int power) {
  Value whole = 1;
  for (int i = 0; i < std::abs(power); ++i)
    whole *= 10;
  return power < 0 ? 1 / whole : whole;
}

Value rounded_decimal(Value value, int digits) {
  return parse_long_double(fmt::format("{:.{}e}", value, digits - 1)).value_or(value);
}

std::string hex_float(Value value) {
  if (std::isnan(value))
    return "nan";
  const std::string sign = std::signbit(value) ? "-" : "";
  if (std::isinf(value))
    return sign + "inf";
  if (value == 0)
    return sign + "0x0p+0";
  int exponent = 0;
  const Value fraction = std::frexp(std::fabs(value), &exponent);
  // All 64 bits of the significand; the leading one is then shifted out.
  const uint64_t significand = static_cast<uint64_t>(std::ldexp(fraction, 64));
  std::string digits = fmt::format("{:016x}", significand << 1);
  digits.erase(digits.find_last_not_of('0') + 1);
  return fmt::format("{}0x1{}{}p{:+d}", sign, digits.empty() ? "" : ".", digits, exponent - 1);
}

std::optional<Value> parse_number(std::string_view text, Format format) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+'))
    text.remove_prefix(1);
  const Value sign = negative ? -1 : 1;
  if (equal_ignoring_case(text, "inf") || equal_ignoring_case(text, "infinity"))
    return sign * std::numeric_limits<Value>::infinity();
  if (equal_ignoring_case(text, "nan"))
    return std::numeric_limits<Value>::quiet_NaN();

  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal)
    text.remove_prefix(2);
  if (!is_unsigned_number(text, hexadecimal))
    return std::nullopt;

  BigFloat value(128);
  read_rounding_to_odd(value, std::string(text), hexadecimal ? 16 : 10);
  const std::string_view significand = text.substr(0, text.find_first_of(hexadecimal ? "pP" : "eE"));
  const bool written_as_zero = significand.find_first_not_of("0.") == std::string_view::npos;
  value.round_to(format);
  if (value.is_inf() || (value.is_zero() && !written_as_zero))
    return std::nullopt;
  return sign * value.to_long_double();
}

std::optional<double> parse_double(std::string_view text) {
  const auto value = parse_number(text, Format::binary64);
  return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

std::optional<long double> parse_long_double(std::string_view text) { return parse_number(text, Format::extended80); }

} // namespace faultline::numeric
