#include "frontend/fpcore/number.h"

#include "numeric/bigfloat.h"
#include "numeric/decimal.h"
#include "numeric/ordered.h"

#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace faultline::frontend::fpcore {
namespace {

constexpr size_t most_digits = 6000; // a decimal of every binary80 has less (16,500 for the smallest: nobody writes it)
constexpr double most_exponent = 20000; // of 2: beyond binary80's

bool is_hex_digit(char c) { return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f'); }

std::optional<long> integer(std::string_view text) {
  if (text.starts_with("+"))
    text.remove_prefix(1);
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// Asked first: the smallest integer has no magnitude that could be taken.
bool can_be_exponent(long exponent, unsigned long base) {
  return std::fabs(double(exponent)) * std::log2(double(base)) <= most_exponent;
}

mpz_class power(unsigned long base, long exponent) {
  mpz_class value;
  mpz_ui_pow_ui(value.get_mpz_t(), base, static_cast<unsigned long>(exponent));
  return value;
}

// value * base^exponent
void scale_by(mpq_class& value, unsigned long base, long exponent) {
  const mpz_class factor = power(base, std::labs(exponent));
  if (exponent < 0)
    value /= factor;
  else
    value *= factor;
}

// Digits with a point, and an exponent of `scale` behind the letter `mark`.
std::optional<Number> with_exponent(std::string_view text, int base, char mark, unsigned long scale) {
  long exponent = 0;
  if (const size_t at = text.find_first_of(std::string{mark, char(mark - 32)}); at != text.npos) {
    const std::optional<long> read = integer(text.substr(at + 1));
    if (!read || !can_be_exponent(*read, scale))
      return {};
    exponent = *read;
    text = text.substr(0, at);
  }
  std::string digits;
  long behind_point = 0;
  bool point = false;
  for (const char c : text) {
    if (c == '.' && !point) {
      point = true;
      continue;
    }
    if (base == 16 ? !is_hex_digit(c) : c < '0' || c > '9')
      return {};
    digits += c;
    behind_point += point;
  }
  if (digits.empty() || digits.size() > most_digits)
    return {};
  Number number{mpz_class(digits, base)};
  scale_by(number.value, static_cast<unsigned long>(base), -behind_point);
  scale_by(number.value, scale, exponent);
  return number;
}

std::optional<Number> fraction(std::string_view text) {
  Number number;
  if (text.find_first_not_of("0123456789/") != text.npos || number.value.set_str(std::string(text), 10) != 0 ||
      number.value.get_den() == 0)
    return {};
  number.value.canonicalize();
  return number;
}

std::strong_ordering compared(long double value, const Number& number) {
  return mpfr_cmp_q(numeric::BigFloat(value, 64).raw(), number.value.get_mpq_t()) <=> 0;
}

long double neighbour(long double value, numeric::Format format, bool above) {
  return above ? numeric::next_larger(value, format) : -numeric::next_larger(-value, format);
}

} // namespace

std::optional<Number> number_of(std::string_view text) {
  if (text.size() > most_digits)
    return {};
  const bool negative = text.starts_with("-");
  if (negative || text.starts_with("+"))
    text.remove_prefix(1);
  std::optional<Number> number = text.find('/') != text.npos ? fraction(text)
                                 : text.starts_with("0x") || text.starts_with("0X")
                                     ? with_exponent(text.substr(2), 16, 'p', 2)
                                     : with_exponent(text, 10, 'e', 10);
  if (number && negative) {
    number->negative_zero = number->value == 0;
    number->value = -number->value;
  }
  return number;
}

std::optional<Number> number_of_digits(std::string_view mantissa, std::string_view exponent, std::string_view base) {
  std::optional<Number> number = number_of(mantissa);
  const std::optional<long> power_of = integer(exponent), of = integer(base);
  if (!number || !power_of || !of || *of < 2 || *of > 1'000'000 ||
      !can_be_exponent(*power_of, static_cast<unsigned long>(*of)))
    return {};
  scale_by(number->value, static_cast<unsigned long>(*of), *power_of);
  return number;
}

long double rounded(const Number& number, numeric::Format format) {
  if (number.value == 0)
    return number.negative_zero ? -0.0L : 0.0L;
  // Ends that round alike say what the number rounds to. If they never did, it would be a midpoint, which some number
  // of bits holds exactly.
  for (mpfr_prec_t bits = 128;; bits *= 2) {
    numeric::BigFloat low(bits), high(bits);
    mpfr_set_q(low.raw(), number.value.get_mpq_t(), MPFR_RNDD);
    mpfr_set_q(high.raw(), number.value.get_mpq_t(), MPFR_RNDU);
    low.round_to(format);
    high.round_to(format);
    if (low == high)
      return low.to_long_double();
  }
}

long double rounded_up(const Number& number, numeric::Format format, bool strictly) {
  const long double nearest = rounded(number, format);
  const std::strong_ordering order = compared(nearest, number);
  return order < 0 || (strictly && order == 0) ? neighbour(nearest, format, true) : nearest;
}

long double rounded_down(const Number& number, numeric::Format format, bool strictly) {
  const long double nearest = rounded(number, format);
  const std::strong_ordering order = compared(nearest, number);
  return order > 0 || (strictly && order == 0) ? neighbour(nearest, format, false) : nearest;
}

std::string exact_text(const Number& number) {
  const std::string text = number.value.get_str();
  return number.value.get_den() == 1 && number.value >= 0 ? text : "(" + text + ")";
}

std::string decimal_text(long double value, numeric::Format format) { return numeric::shortest_decimal(value, format); }

const char* precision_name(numeric::Format format) { return numeric::info(format).fpcore_name; }

std::string c_literal(long double value, numeric::Format format) {
  const numeric::FormatInfo& form = numeric::info(format);
  const char* function = form.libm_suffix;
  if (std::isnan(value))
    return fmt::format("__builtin_nan{}(\"\")", function);
  if (std::isinf(value))
    return fmt::format("({}__builtin_inf{}())", value < 0 ? "-" : "", function);
  const std::string hex = numeric::hex_float(value) + form.literal_suffix;
  if (form.literal_needs_cast)
    return fmt::format("(({}){})", form.c_type, hex);
  return std::signbit(value) ? "(" + hex + ")" : hex;
}

} // namespace faultline::frontend::fpcore
