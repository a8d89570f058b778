#include "numeric/binary.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace faultline::numeric {
namespace {

// Enough for the significands of all formats.
constexpr mpfr_prec_t any_precision = BinaryFormat::most_significand_bits;

Bits magnitude_of_integer(mpfr_srcptr integer) {
  mpz_t z;
  mpz_init(z);
  mpfr_get_z(z, integer, MPFR_RNDN);
  Bits bits = 0;
  size_t count = 0;
  uint64_t words[2] = {0, 0};
  mpz_export(words, &count, -1, sizeof words[0], 0, 0, z);
  bits = Bits(words[1]) << 64 | words[0];
  mpz_clear(z);
  return bits;
}

// True for formats so much smaller than binary64 that all their values are normal doubles or zero.
bool well_inside_double(BinaryFormat format) { return format.exponent_bits <= 8 && format.significand_bits <= 32; }

// The same as nearest_bits, in integer arithmetic.
Bits bits_of_double(double value, BinaryFormat format) {
  const Bits sign = std::signbit(value) ? format.sign() : 0;
  const auto bits = std::bit_cast<uint64_t>(std::fabs(value));
  const int exponent = int(bits >> 52) - 1023;
  if (exponent > format.max_exponent())
    return sign | format.infinity();
  const int quantum = std::max(exponent, format.min_exponent());
  const int drop = 52 - format.fraction_bits() + (quantum - exponent);
  if (exponent == -1023 || drop > 53)
    return sign; // zero, or below half of the smallest
  const uint64_t significand = (bits & ((uint64_t(1) << 52) - 1)) | uint64_t(1) << 52;
  const uint64_t half = uint64_t(1) << (drop - 1), rest = significand & (2 * half - 1);
  uint64_t kept = significand >> drop;
  if (rest > half || (rest == half && (kept & 1) != 0))
    ++kept;
  return sign | ((Bits(quantum - format.min_exponent()) << format.fraction_bits()) + kept);
}

double expanded(Bits bits, BinaryFormat format) {
  const Bits magnitude = format.magnitude(bits);
  const auto field = int(magnitude >> format.fraction_bits());
  const auto fraction = uint64_t(magnitude & (format.smallest_normal() - 1));
  const double value = field == 0 ? std::ldexp(double(fraction), format.min_exponent() - format.fraction_bits())
                                  : std::bit_cast<double>(uint64_t(field - format.max_exponent() + 1023) << 52 |
                                                          fraction << (52 - format.fraction_bits()));
  return format.is_negative(bits) ? -value : value;
}

// Returns the result for a number beyond the largest.
Bits overflown(bool negative, BinaryFormat format, Rounding rounding) {
  const bool inward = rounding == Rounding::to_zero || rounding == (negative ? Rounding::up : Rounding::down);
  return (negative ? format.sign() : 0) | (inward ? format.largest() : format.infinity());
}

} // namespace

// As in round_to(Format), scales until the spacing is one and rounds to an integer. The integers of a binade's
// significands follow the fraction field, so it remains to add the exponent, including a carry into the next binade.
Bits rounded_bits(mpfr_srcptr value, BinaryFormat format, Rounding rounding) {
  if (mpfr_nan_p(value))
    return format.nan();
  const Bits sign = mpfr_signbit(value) ? format.sign() : 0;
  if (mpfr_zero_p(value))
    return sign;
  if (mpfr_inf_p(value))
    return sign | format.infinity();
  const long exponent = std::max<long>(mpfr_get_exp(value) - 1, format.min_exponent());
  if (exponent > format.max_exponent())
    return overflown(sign != 0, format, rounding);
  BigFloat scaled(mpfr_get_prec(value));
  mpfr_mul_2si(scaled.raw(), value, format.fraction_bits() - exponent, MPFR_RNDN);
  mpfr_rint(scaled.raw(), scaled.raw(), mpfr_direction(rounding));
  const Bits significand = magnitude_of_integer(scaled.raw());
  // A normal number's leading one adds one to the field, so the field starts one lower. A subnormal's field is 0.
  return sign | ((Bits(exponent - format.min_exponent()) << format.fraction_bits()) + significand);
}

void set_bits(mpfr_ptr value, Bits bits, BinaryFormat format) {
  if (format.is_nan(bits)) {
    mpfr_set_nan(value);
    return;
  }
  const int sign = format.is_negative(bits) ? -1 : 1;
  const Bits magnitude = format.magnitude(bits);
  if (magnitude == format.infinity()) {
    mpfr_set_inf(value, sign);
    return;
  }
  if (magnitude == 0) {
    mpfr_set_zero(value, sign);
    return;
  }
  const Bits field = magnitude >> format.fraction_bits();
  Bits significand = magnitude & (format.smallest_normal() - 1);
  if (field != 0)
    significand |= format.smallest_normal();
  const long exponent = format.min_exponent() - format.fraction_bits() + (field == 0 ? 0 : long(field) - 1);
  mpz_t z;
  mpz_init(z);
  const uint64_t words[2] = {uint64_t(significand), uint64_t(significand >> 64)};
  mpz_import(z, 2, -1, sizeof words[0], 0, 0, words);
  mpfr_set_z_2exp(value, z, exponent, MPFR_RNDN);
  mpz_clear(z);
  if (sign < 0)
    mpfr_neg(value, value, MPFR_RNDN);
}

Bits converted(Bits bits, BinaryFormat from, BinaryFormat to, Rounding rounding) {
  if (from == to)
    return from.is_nan(bits) ? to.nan() : bits;
  if (from == binary32 && to == binary64)
    return bits_of(double_of(bits, from));
  if (from == binary64 && to == binary32 && rounding == Rounding::nearest_even)
    return bits_of(float(double_of(bits, from)));
  BigFloat value(any_precision);
  set_bits(value.raw(), bits, from);
  return rounded_bits(value.raw(), to, rounding);
}

double double_of(Bits bits, BinaryFormat format) {
  if (format == binary64)
    return std::bit_cast<double>(uint64_t(bits));
  if (format == binary32)
    return std::bit_cast<float>(uint32_t(bits));
  if (well_inside_double(format) && format.magnitude(bits) < format.infinity())
    return expanded(bits, format);
  BigFloat value(any_precision);
  set_bits(value.raw(), bits, format);
  return value.to_double();
}

long double long_double_of(Bits bits, BinaryFormat format) {
  if (format == binary64 || format == binary32)
    return double_of(bits, format);
  BigFloat value(any_precision);
  set_bits(value.raw(), bits, format);
  return value.to_long_double();
}

Bits bits_of(double value) { return std::isnan(value) ? binary64.nan() : Bits(std::bit_cast<uint64_t>(value)); }
Bits bits_of(float value) { return std::isnan(value) ? binary32.nan() : Bits(std::bit_cast<uint32_t>(value)); }

Bits bits_of(double value, BinaryFormat format) {
  if (format == binary64)
    return bits_of(value);
  if (format == binary32)
    return bits_of(float(value));
  if (well_inside_double(format) && std::isfinite(value))
    return bits_of_double(value, format);
  return nearest_bits(BigFloat(value, 53).raw(), format);
}

Bits bits_of(long double value, BinaryFormat format) {
  if (format == binary64)
    return bits_of(double(value));
  if (format == binary32)
    return bits_of(float(value));
  return nearest_bits(BigFloat(value, 64).raw(), format);
}

} // namespace faultline::numeric
