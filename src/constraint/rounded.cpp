#include "constraint/rounded.h"

#include "constraint/words.h"

#include <algorithm>
#include <cassert>

namespace faultline::constraint {

using numeric::BigFloat;
using numeric::Rounding;
using ops::Op;

namespace {

int computed(Op op, mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c, mpfr_rnd_t direction) {
  switch (op) {
  case Op::fadd:
    return mpfr_add(result, a, b, direction);
  case Op::fsub:
    return mpfr_sub(result, a, b, direction);
  case Op::fmul:
    return mpfr_mul(result, a, b, direction);
  case Op::fdiv:
    return mpfr_div(result, a, b, direction);
  case Op::fma:
    return mpfr_fma(result, a, b, c, direction);
  case Op::sqrt:
    return mpfr_sqrt(result, a, direction);
  default:
    assert(false && "an operation that is not rounded");
    return 0;
  }
}

// Cut off at the precision of the result, and its last bit set if anything was lost ("round to odd"): with two bits
// more than a format has, rounding it once more, in any direction, gives what rounding the exact value would have.
void odd(Op op, mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c) {
  if (computed(op, result, a, b, c, MPFR_RNDZ) == 0 || mpfr_min_prec(result) == mpfr_get_prec(result))
    return;
  if (mpfr_signbit(result))
    mpfr_nextbelow(result);
  else
    mpfr_nextabove(result);
}

} // namespace

Bits apply_rounded(Op op, Rounding rounding, BinaryFormat from, BinaryFormat to, Bits a, Bits b, Bits c) {
  if (op == Op::fptrunc)
    return numeric::converted(a, from, to, rounding);
  const mpfr_prec_t precision = std::max<mpfr_prec_t>(from.significand_bits, 2);
  BigFloat x(precision), y(precision), z(precision), result(precision + 3);
  numeric::set_bits(x.raw(), a, from);
  numeric::set_bits(y.raw(), b, from);
  numeric::set_bits(z.raw(), c, from);
  odd(op, result.raw(), x.raw(), y.raw(), z.raw());
  // The sign of a sum that is exactly zero goes by the direction.
  if (mpfr_zero_p(result.raw()) && rounding == Rounding::down)
    computed(op, result.raw(), x.raw(), y.raw(), z.raw(), MPFR_RNDD);
  return numeric::rounded_bits(result.raw(), to, rounding);
}

Bits rounded_integer(Bits word, int width, bool is_signed, BinaryFormat format, Rounding rounding) {
  const bool negative = is_signed && word >> (width - 1) != 0;
  const Bits magnitude = negative ? (0 - word) & word_mask(width) : word;
  BigFloat value(most_word_bits);
  mpfr_set_ui_2exp(value.raw(), uint64_t(magnitude >> 64), 64, MPFR_RNDN);
  BigFloat low(64);
  mpfr_set_ui(low.raw(), uint64_t(magnitude), MPFR_RNDN);
  mpfr_add(value.raw(), value.raw(), low.raw(), MPFR_RNDN); // exact
  if (negative)
    mpfr_neg(value.raw(), value.raw(), MPFR_RNDN);
  return numeric::rounded_bits(value.raw(), format, rounding);
}

Bits integer_in_word(Bits value, BinaryFormat format, int width, bool is_signed) {
  if (format.is_nan(value) || format.is_infinite(value) || format.is_zero(value))
    return 0;
  const Bits magnitude = format.magnitude(value);
  const int exponent = int(magnitude >> format.fraction_bits()) - format.max_exponent(); // of the leading bit
  if (exponent < 0 || exponent >= width)
    return 0;
  const Bits significand = (magnitude & (format.smallest_normal() - 1)) | format.smallest_normal();
  const int shift = exponent - format.fraction_bits();
  if (shift < 0 && (significand & ((Bits{1} << -shift) - 1)) != 0)
    return 0;
  const Bits integer = shift < 0 ? significand >> -shift : significand << shift;
  const Bits half = Bits{1} << (width - 1);
  const bool negative = format.is_negative(value);
  if (!is_signed ? negative : negative ? integer > half : integer >= half)
    return 0;
  return (negative ? 0 - integer : integer) & word_mask(width);
}

} // namespace faultline::constraint
