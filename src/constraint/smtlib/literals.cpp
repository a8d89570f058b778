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
  mpz_class denominator = 1;
  if (const size_t point = digits.find('.'); point != std::string::npos) {
    mpz_ui_pow_ui(denominator.get_mpz_t(), 10, digits.size() - point - 1);
    digits.erase(point, 1);
  }
  Rational value(mpz_class(digits, 10), denominator);
  value.canonicalize();
  return value;
}

size_t bits_needed(const Rational& value) { return bit_length(value.get_num()) + bit_length(value.get_den()); }

// More leading bits than any format has; if anything is cut off, the number just above them: so rounded_bits sees on
// which side of a midpoint the fraction lies.
Bits rounded_bits(const Rational& value, BinaryFormat format, numeric::Rounding rounding) {
  if (sgn(value) == 0)
    return 0;
  numeric::BigFloat leading(format.significand_bits + 2);
  if (mpfr_set_q(leading.raw(), value.get_mpq_t(), MPFR_RNDZ) != 0) {
    mpfr_prec_round(leading.raw(), format.significand_bits + 4, MPFR_RNDZ); // exact
    if (sgn(value) > 0)
      mpfr_nextabove(leading.raw());
    else
      mpfr_nextbelow(leading.raw());
  }
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
