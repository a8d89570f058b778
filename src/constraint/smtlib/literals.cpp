#include "constraint/smtlib/literals.h"

#include <string>

namespace faultline::constraint {

namespace {

size_t bit_length(const mpz_class& value) {
  return mpz_sgn(value.get_mpz_t()) == 0 ? 0 : mpz_sizeinbase(value.get_mpz_t(), 2);
}

} // namespace

Rational rational(std::string_view text) {
  std::string digits(text);
  Rational value;
  if (const size_t point = digits.find('.'); point != std::string::npos) {
    mpz_ui_pow_ui(value.denominator.get_mpz_t(), 10, digits.size() - point - 1);
    digits.erase(point, 1);
  }
  value.numerator.set_str(digits, 10);
  return value;
}

Rational negated(const Rational& value) { return {-value.numerator, value.denominator}; }

Rational added(const Rational& a, const Rational& b) {
  return {a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator};
}

Rational multiplied(const Rational& a, const Rational& b) {
  return {a.numerator * b.numerator, a.denominator * b.denominator};
}

Rational divided(const Rational& a, const Rational& b) {
  Rational quotient{a.numerator * b.denominator, a.denominator * b.numerator};
  if (sgn(quotient.denominator) < 0)
    quotient = {-quotient.numerator, -quotient.denominator};
  return quotient;
}

size_t bits_needed(const Rational& value) { return bit_length(value.numerator) + bit_length(value.denominator); }

// The quotient's leading bits, more than any format has, and below them one bit that says whether anything was cut off:
// so rounded_bits sees on which side of a midpoint the fraction lies.
Bits rounded_bits(const Rational& value, BinaryFormat format, numeric::Rounding rounding) {
  if (sgn(value.numerator) == 0)
    return 0;
  const long wanted = format.significand_bits + 2;
  const long shift = wanted - (long(bit_length(value.numerator)) - long(bit_length(value.denominator)));
  mpz_class above = abs(value.numerator), below = value.denominator;
  if (shift > 0)
    above <<= static_cast<mp_bitcnt_t>(shift);
  else
    below <<= static_cast<mp_bitcnt_t>(-shift);
  mpz_class quotient, rest;
  mpz_tdiv_qr(quotient.get_mpz_t(), rest.get_mpz_t(), above.get_mpz_t(), below.get_mpz_t());
  quotient <<= 1;
  if (sgn(rest) != 0)
    quotient += 1;
  numeric::BigFloat leading(wanted + 2);
  mpfr_set_z_2exp(leading.raw(), quotient.get_mpz_t(), -shift - 1, MPFR_RNDN); // exact
  if (sgn(value.numerator) < 0)
    mpfr_neg(leading.raw(), leading.raw(), MPFR_RNDN);
  return numeric::rounded_bits(leading.raw(), format, rounding);
}

std::optional<BitVector> binary_literal(std::string_view digits) {
  if (digits.size() > BitVector::most_width)
    return {};
  BitVector vector{int(digits.size())};
  for (const char c : digits)
    vector.bits = vector.bits << 1 | Bits(c - '0');
  return vector;
}

std::optional<BitVector> hexadecimal_literal(std::string_view digits) {
  if (digits.size() > BitVector::most_width / 4)
    return {};
  BitVector vector{int(4 * digits.size())};
  for (const char c : digits)
    vector.bits = vector.bits << 4 | Bits(c <= '9' ? c - '0' : (c | 32) - 'a' + 10);
  return vector;
}

std::optional<BitVector> numbered_literal(std::string_view number, int width) {
  if (width > BitVector::most_width || number.size() > 40) // 2^128 has 39 digits
    return {};
  const mpz_class value(std::string(number), 10);
  if (bit_length(value) > size_t(width))
    return {};
  uint64_t words[2] = {0, 0};
  mpz_export(words, nullptr, -1, sizeof words[0], 0, 0, value.get_mpz_t());
  return BitVector{width, Bits(words[1]) << 64 | words[0]};
}

} // namespace faultline::constraint
