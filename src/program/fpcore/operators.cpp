#include "program/fpcore/operators.h"

#include "numeric/bigfloat.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace faultline::program::fpcore {

namespace {

constexpr size_t most_digits = 6000;    // a decimal of nearly every binary80 has fewer (16,500 for the smallest)
constexpr double most_exponent = 20000; // of 2: exceeds binary80's

bool is_hex_digit(char c) { return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'f'); }

std::optional<long> integer(std::string_view text) {
  if (text.starts_with("+"))
    text.remove_prefix(1);
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

// Must be checked first: the smallest integer has no magnitude.
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

// Parses digits with a point, followed by the letter `mark` and an exponent of `scale`.
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

std::strong_ordering compared(numeric::Value value, const Number& number) {
  return mpfr_cmp_q(numeric::BigFloat(value, 64).raw(), number.value.get_mpq_t()) <=> 0;
}

numeric::Value neighbour(numeric::Value value, numeric::Format format, bool above) {
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

numeric::Value rounded(const Number& number, numeric::Format format) {
  if (number.value == 0)
    return number.negative_zero ? -0.0L : 0.0L;
  // If both ends round alike, the number rounds to the same value. If they never did, the number would be a midpoint,
  // which has an exact representation with some number of bits.
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

numeric::Value rounded_up(const Number& number, numeric::Format format, bool strictly) {
  const numeric::Value nearest = rounded(number, format);
  const std::strong_ordering order = compared(nearest, number);
  return order < 0 || (strictly && order == 0) ? neighbour(nearest, format, true) : nearest;
}

numeric::Value rounded_down(const Number& number, numeric::Format format, bool strictly) {
  const numeric::Value nearest = rounded(number, format);
  const std::strong_ordering order = compared(nearest, number);
  return order > 0 || (strictly && order == 0) ? neighbour(nearest, format, false) : nearest;
}

std::string exact_text(const Number& number) {
  const std::string text = number.value.get_str();
  return number.value.get_den() == 1 && number.value >= 0 ? text : "(" + text + ")";
}

std::string decimal_text(numeric::Value value, numeric::Format format) {
  return numeric::shortest_decimal(value, format);
}

const char* precision_name(numeric::Format format) { return numeric::info(format).fpcore_name; }

std::string c_literal(numeric::Value value, numeric::Format format) {
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

namespace {

using enum OperatorKind;

constexpr int any = -1;

constexpr std::array operators = {
    Operator{"+", arithmetic, 2, any, "+", "($1 + $2)"},
    Operator{"-", arithmetic, 1, 2, "-", "($1 - $2)"},
    Operator{"*", arithmetic, 2, any, "*", "($1*$2)"},
    Operator{"/", arithmetic, 2, 2, "/", "($1/$2)"},
    Operator{"fabs", function, 1, 1, "fabs", "abs($1)"},
    Operator{"fma", function, 3, 3, "fma", "($1*$2 + $3)"},
    Operator{"exp", function, 1, 1, "exp", "exp($1)"},
    Operator{"exp2", function, 1, 1, "exp2", "2^($1)"},
    Operator{"expm1", function, 1, 1, "expm1", "expm1($1)"},
    Operator{"log", function, 1, 1, "log", "log($1)"},
    Operator{"log10", function, 1, 1, "log10", "log10($1)"},
    Operator{"log2", function, 1, 1, "log2", "log2($1)"},
    Operator{"log1p", function, 1, 1, "log1p", "log1p($1)"},
    Operator{"pow", function, 2, 2, "pow", "pow($1, $2)"},
    Operator{"sqrt", function, 1, 1, "sqrt", "sqrt($1)"},
    Operator{"cbrt", function, 1, 1, "cbrt", "cbrt($1)"},
    Operator{"hypot", function, 2, 2, "hypot", "hypot($1, $2)"},
    Operator{"sin", function, 1, 1, "sin", "sin($1)"},
    Operator{"cos", function, 1, 1, "cos", "cos($1)"},
    Operator{"tan", function, 1, 1, "tan", "tan($1)"},
    Operator{"asin", function, 1, 1, "asin", "asin($1)"},
    Operator{"acos", function, 1, 1, "acos", "acos($1)"},
    Operator{"atan", function, 1, 1, "atan", "atan($1)"},
    Operator{"atan2", function, 2, 2, "atan2", "atan2($1, $2)"},
    Operator{"sinh", function, 1, 1, "sinh", "sinh($1)"},
    Operator{"cosh", function, 1, 1, "cosh", "cosh($1)"},
    Operator{"tanh", function, 1, 1, "tanh", "tanh($1)"},
    Operator{"asinh", function, 1, 1, "asinh", "asinh($1)"},
    Operator{"acosh", function, 1, 1, "acosh", "acosh($1)"},
    Operator{"atanh", function, 1, 1, "atanh", "atanh($1)"},
    Operator{"erf", function, 1, 1, "erf", "erf($1)"},
    Operator{"erfc", function, 1, 1, "erfc", "erfc($1)"},
    Operator{"tgamma", function, 1, 1, "tgamma", "gamma($1)"},
    Operator{"lgamma", function, 1, 1, "lgamma", "lgamma($1)"},
    Operator{"ceil", function, 1, 1, "ceil", "ceil($1)"},
    Operator{"floor", function, 1, 1, "floor", "floor($1)"},
    Operator{"fmod", function, 2, 2, "fmod", "rem($1, $2)"},
    Operator{"remainder", function, 2, 2, "remainder", nullptr},
    Operator{"fmax", function, 2, 2, "fmax", "max($1, $2)"},
    Operator{"fmin", function, 2, 2, "fmin", "min($1, $2)"},
    Operator{"fdim", function, 2, 2, "fdim", "max($1 - $2, 0)"},
    Operator{"copysign", function, 2, 2, "copysign", "if($2 < 0, -abs($1), abs($1))"},
    Operator{"trunc", function, 1, 1, "trunc", "trunc($1)"},
    Operator{"round", function, 1, 1, "round", "(sign($1)*floor(abs($1) + 1/2))"},
    Operator{"nearbyint", function, 1, 1, "nearbyint", nullptr},
    Operator{"<", comparison, 1, any, "<", "<"},
    Operator{">", comparison, 1, any, ">", ">"},
    Operator{"<=", comparison, 1, any, "<=", "<="},
    Operator{">=", comparison, 1, any, ">=", ">="},
    Operator{"==", comparison, 1, any, "==", "=="},
    Operator{"!=", comparison, 1, any, "!=", "!="},
    Operator{"and", logic, 0, any, "and", "and"},
    Operator{"or", logic, 0, any, "or", "or"},
    Operator{"not", logic, 1, 1, "not", "not"},
    Operator{"isfinite", test, 1, 1, "isfinite", nullptr},
    Operator{"isinf", test, 1, 1, "isinf", nullptr},
    Operator{"isnan", test, 1, 1, "isnan", nullptr},
    Operator{"isnormal", test, 1, 1, "isnormal", nullptr},
    Operator{"signbit", test, 1, 1, "signbit", "$1 < 0"},
};

constexpr std::array constants = {
    Constant{"E", "2.71828182845904523536028747135266249775724709369996", "exp(1)"},
    Constant{"LOG2E", "1.44269504088896340735992468100189213742664595415299", "(1/log(2))"},
    Constant{"LOG10E", "0.43429448190325182765112891891660508229439700580366", "(1/log(10))"},
    Constant{"LN2", "0.69314718055994530941723212145817656807550013436026", "log(2)"},
    Constant{"LN10", "2.30258509299404568401799145468436420760110148862877", "log(10)"},
    Constant{"PI", "3.14159265358979323846264338327950288419716939937511", "(4*atan(1))"},
    Constant{"PI_2", "1.57079632679489661923132169163975144209858469968755", "(2*atan(1))"},
    Constant{"PI_4", "0.78539816339744830961566084581987572104929234984378", "atan(1)"},
    Constant{"M_1_PI", "0.31830988618379067153776752674502872406891929148091", "(1/(4*atan(1)))"},
    Constant{"M_2_PI", "0.63661977236758134307553505349005744813783858296183", "(1/(2*atan(1)))"},
    Constant{"M_2_SQRTPI", "1.12837916709551257389615890312154517168810125865800", "(1/sqrt(atan(1)))"},
    Constant{"SQRT2", "1.41421356237309504880168872420969807856967187537695", "sqrt(2)"},
    Constant{"SQRT1_2", "0.70710678118654752440084436210484903928483593768847", "sqrt(1/2)"},
    Constant{"INFINITY", "inf", nullptr},
    Constant{"NAN", "nan", "undefined"},
};

constexpr std::array<std::string_view, 47> c_words = {"auto",
                                                      "break",
                                                      "case",
                                                      "char",
                                                      "const",
                                                      "continue",
                                                      "default",
                                                      "do",
                                                      "double",
                                                      "else",
                                                      "enum",
                                                      "extern",
                                                      "float",
                                                      "for",
                                                      "goto",
                                                      "if",
                                                      "inline",
                                                      "int",
                                                      "long",
                                                      "register",
                                                      "restrict",
                                                      "return",
                                                      "short",
                                                      "signed",
                                                      "sizeof",
                                                      "static",
                                                      "struct",
                                                      "switch",
                                                      "typedef",
                                                      "union",
                                                      "unsigned",
                                                      "void",
                                                      "volatile",
                                                      "while",
                                                      "asm",
                                                      "typeof",
                                                      "main",
                                                      "malloc",
                                                      "free",
                                                      "abort",
                                                      "exit",
                                                      "memcpy",
                                                      "memset",
                                                      "memmove",
                                                      "linux",
                                                      "unix",
                                                      "fpcore_precondition"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// True for names of C, and for names reserved in all bitcode: functions and inputs cannot have them.
bool is_taken_name(std::string_view name) {
  const std::string_view stem =
      name.ends_with("f") || name.ends_with("l") ? name.substr(0, name.size() - 1) : name; // sinf, sinl
  return find_operator(name) || find_operator(stem) || std::ranges::find(c_words, name) != c_words.end() ||
         name.starts_with("__") || name.starts_with("faultline") || name.starts_with("value_");
}

} // namespace

const std::vector<Operator>& all_operators() {
  static const std::vector<Operator> all(operators.begin(), operators.end());
  return all;
}

const Operator* find_operator(std::string_view name) {
  const auto found = std::ranges::find(operators, name, [](const Operator& one) { return std::string_view(one.name); });
  return found == operators.end() ? nullptr : &*found;
}

const Constant* find_constant(std::string_view name) {
  const auto found = std::ranges::find(constants, name, [](const Constant& one) { return std::string_view(one.name); });
  return found == constants.end() ? nullptr : &*found;
}

std::string c_name(std::string_view name) {
  constexpr size_t longest = 200;
  std::string made;
  for (const char c : name.substr(0, longest))
    made += is_letter(c) || (c >= '0' && c <= '9') ? c : '_';
  if (made.empty() || !is_letter(made.front()))
    made = "x" + made;
  return is_taken_name(made) ? made + "_" : made;
}

} // namespace faultline::program::fpcore
