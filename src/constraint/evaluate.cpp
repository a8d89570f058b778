#include "constraint/evaluate.h"

#include "ops/table.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>

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

// Computes with truncation to the precision of the result, and sets the last bit if anything was lost ("round to odd").
// With two more bits than the format, another rounding in any direction then gives the rounded exact value.
void odd(Op op, mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c) {
  if (computed(op, result, a, b, c, MPFR_RNDZ) == 0 || mpfr_min_prec(result) == mpfr_get_prec(result))
    return;
  if (mpfr_signbit(result))
    mpfr_nextbelow(result);
  else
    mpfr_nextabove(result);
}

float float_of(Bits bits) { return std::bit_cast<float>(uint32_t(bits)); }
double double_of(Bits bits) { return std::bit_cast<double>(uint64_t(bits)); }

// A precision at which a second rounding, to the format, is harmless. A product is exact; an inexact sum is at least as
// long as its larger term; a quotient or a root keeps its distance from the midpoints (Figueroa 1995). The sum of fma
// is computed exactly, however far apart its terms are.
mpfr_prec_t enough_precision(Op op, BinaryFormat format) {
  return op == Op::fma ? (mpfr_prec_t(4) << format.exponent_bits) + 4 * format.significand_bits
                       : 2 * format.significand_bits + 8;
}

bool doubles_do(Op op, BinaryFormat format) {
  return format.exponent_bits <= 8 && format.significand_bits <= 24 &&
         (ops::is_basic(op) || ops::rounds_to_integer(op));
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
  // The direction determines the sign of a sum that is exactly zero.
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

Bits apply_correctly(Op op, BinaryFormat format, Bits a, Bits b, Bits c) {
  const mpfr_prec_t precision = std::max<mpfr_prec_t>(format.significand_bits, 2);
  BigFloat x(precision), y(precision), z(precision), result(enough_precision(op, format));
  numeric::set_bits(x.raw(), a, format);
  if (ops::arity(op) > 1)
    numeric::set_bits(y.raw(), b, format);
  if (ops::arity(op) > 2)
    numeric::set_bits(z.raw(), c, format);
  ops::evaluate(op, result.raw(), x.raw(), y.raw(), z.raw());
  return numeric::nearest_bits(result.raw(), format);
}

// In a small format, a double holds sums and products exactly, and rounds quotients and roots harmlessly.

Bits apply(Op op, BinaryFormat format, Bits a, Bits b, Bits c) {
  // The sign of a NaN has no meaning.
  if (op == Op::fneg)
    return format.is_nan(a) ? format.nan() : a ^ format.sign();
  if (op == Op::fabs)
    return format.is_nan(a) ? format.nan() : format.magnitude(a);
  const bool second = ops::arity(op) > 1, third = ops::arity(op) > 2;
  if (format == numeric::binary64)
    return numeric::bits_of(ops::evaluate(op, double_of(a), second ? double_of(b) : 0, third ? double_of(c) : 0));
  if (format == numeric::binary32)
    return numeric::bits_of(ops::evaluate32(op, float_of(a), second ? float_of(b) : 0, third ? float_of(c) : 0));
  if (format == numeric::extended80)
    return numeric::bits_of(ops::evaluate80(op, numeric::long_double_of(a, format),
                                            second ? numeric::long_double_of(b, format) : 0,
                                            third ? numeric::long_double_of(c, format) : 0),
                            format);
  if (doubles_do(op, format))
    return numeric::bits_of(
        ops::evaluate(op, numeric::double_of(a, format), second ? numeric::double_of(b, format) : 0), format);
  return apply_correctly(op, format, a, b, c);
}

bool holds(Op comparison, BinaryFormat format, Bits a, Bits b) {
  // Small numbers in the order of the operands, for the comparisons of the table.
  if (format.is_nan(a) || format.is_nan(b))
    return ops::evaluate(comparison, std::numeric_limits<double>::quiet_NaN(), 0) != 0;
  const numeric::Int128 x = format.is_zero(a) ? 0 : format.order(a), y = format.is_zero(b) ? 0 : format.order(b);
  return ops::evaluate(comparison, x < y ? -1 : x > y ? 1 : 0, 0) != 0;
}

bool is(Class tested, BinaryFormat format, Bits a) {
  switch (tested) {
  case Class::normal:
    return format.is_normal(a);
  case Class::subnormal:
    return format.is_subnormal(a);
  case Class::zero:
    return format.is_zero(a);
  case Class::infinite:
    return format.is_infinite(a);
  case Class::nan:
    return format.is_nan(a);
  case Class::negative:
    return !format.is_nan(a) && format.is_negative(a);
  case Class::positive:
    return !format.is_nan(a) && !format.is_negative(a);
  }
  return false;
}

Bits evaluate(const Node& node, const Sort& operand, const std::array<Bits, 3>& values) {
  const auto& [a, b, c] = values;
  switch (node.form) {
  case Form::variable:
  case Form::constant:
    return node.value;
  case Form::operation:
    if (node.op == Op::fptrunc || node.op == Op::fpext)
      return numeric::converted(a, operand.format, node.sort.format);
    return apply(node.op, node.sort.format, a, b, c);
  case Form::comparison:
    return holds(node.op, operand.format, a, b);
  case Form::same:
    return a == b;
  case Form::classification:
    return is(node.tested, operand.format, a);
  case Form::conjunction:
    return a & b;
  case Form::disjunction:
    return a | b;
  case Form::negation:
    return a ^ 1;
  case Form::choice:
    return a ? b : c;
  case Form::rounded:
    return apply_rounded(node.op, node.rounding, operand.format, node.sort.format, a, b, c);
  case Form::float_of_pattern:
    return node.sort.format.is_nan(a) ? node.sort.format.nan() : a;
  case Form::float_of_integer:
    return rounded_integer(a, operand.width, node.is_signed, node.sort.format, node.rounding);
  case Form::integer_of_float:
    return integer_in_word(a, operand.format, node.sort.width, node.is_signed);
  case Form::word:
    return apply(node.word, node.sort.width, operand.width, int(node.value), a, b);
  case Form::word_less:
    return less(a, b, operand.width, node.is_signed);
  }
  return 0;
}

void evaluate(const System& system, const Model& model, std::vector<Bits>& values) {
  values.resize(system.size());
  for (Term term = 0; term < system.size(); ++term) {
    const Node& node = system.node(term);
    if (node.form == Form::variable) {
      const Bits bits = model[size_t(node.value)];
      const bool nan = node.sort.is_float() && node.sort.format.is_nan(bits);
      values[term] = nan ? node.sort.format.nan() : bits;
    } else if (node.form == Form::constant) {
      values[term] = node.value;
    } else {
      values[term] = evaluate(node, system.sort(node.operands[0]),
                              {values[node.operands[0]], values[node.operands[1]], values[node.operands[2]]});
    }
  }
}

bool satisfies(const System& system, const Model& model) {
  if (model.size() != system.variables().size())
    return false;
  std::vector<Bits> values;
  evaluate(system, model, values);
  return std::all_of(system.assertions().begin(), system.assertions().end(),
                     [&](Term assertion) { return values[assertion] != 0; });
}

} // namespace faultline::constraint
