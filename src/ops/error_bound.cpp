#include "ops/error_bound.h"

#include "ops/table.h"

#include <algorithm>
#include <cmath>

namespace faultline::ops {
namespace {

// Returns the exponent of a value's magnitude; a zero is as large as its error.
int64_t magnitude(const Operand& operand) {
  if (!mpfr_regular_p(operand.value))
    return mpfr_zero_p(operand.value) ? operand.error : any_error;
  return mpfr_get_exp(operand.value);
}

ErrorExponent clamp(int64_t exponent) { return std::clamp<int64_t>(exponent, no_error, any_error); }

ErrorExponent plus(ErrorExponent a, int64_t b) {
  return a <= no_error / 2 || b <= no_error / 2 ? no_error : clamp(a + b);
}

ErrorExponent product_error(const Operand& a, const Operand& b) {
  return std::max(plus(a.error, magnitude(b)), plus(b.error, magnitude(a)));
}

// True if this operand has no correct bit left.
bool is_lost(const Operand& operand) { return operand.error > no_error / 2 && operand.error >= magnitude(operand); }

// True if the operand is lost for this operation. An entire function only needs a small error.
bool is_lost_to(Op op, const Operand& operand) {
  constexpr ErrorExponent small = -8;
  return is_lost(operand) && !(has(op, trait::entire) && operand.error <= small);
}

ErrorExponent largest(std::span<const Operand> operands) {
  ErrorExponent error = no_error;
  for (const Operand& operand : operands)
    error = std::max(error, operand.error);
  return error;
}

// Used where the slope is no double (near a singularity, out of range): repeats the operation with the operand moved by
// its error, in both directions, at twice the precision. A root halves the error of its operand, and at the operand's
// own precision that difference would be rounded away.
ErrorExponent by_difference(Op op, mpfr_srcptr result, std::span<const Operand> operands, size_t which) {
  const mpfr_prec_t precision = mpfr_get_prec(result);
  mpfr_t moved, step, value, here;
  mpfr_inits2(2 * precision, moved, step, value, here, static_cast<mpfr_ptr>(nullptr));
  mpfr_srcptr unmoved[3] = {};
  for (size_t i = 0; i < operands.size(); ++i)
    unmoved[i] = operands[i].value;
  evaluate(op, here, unmoved[0], unmoved[1], unmoved[2]);
  const ErrorExponent unseen =
      mpfr_regular_p(here) ? ErrorExponent(mpfr_get_exp(here)) - 2 * ErrorExponent(precision) : no_error;
  ErrorExponent error = no_error;
  bool any = false;
  for (int sign : {1, -1}) {
    mpfr_set_si_2exp(step, sign, operands[which].error, MPFR_RNDN);
    mpfr_add(moved, operands[which].value, step, MPFR_RNDN);
    mpfr_srcptr arguments[3] = {};
    for (size_t i = 0; i < operands.size(); ++i)
      arguments[i] = i == which ? static_cast<mpfr_srcptr>(moved) : operands[i].value;
    evaluate(op, value, arguments[0], arguments[1], arguments[2]);
    mpfr_sub(value, value, here, MPFR_RNDN);
    if (mpfr_nan_p(value))
      continue; // out of the domain on this side
    any = true;
    error = std::max(error, mpfr_inf_p(value)    ? any_error
                            : mpfr_zero_p(value) ? unseen
                                                 : ErrorExponent(mpfr_get_exp(value)));
  }
  mpfr_clears(moved, step, value, here, static_cast<mpfr_ptr>(nullptr));
  return any ? error : any_error;
}

// Propagates errors by the partial derivatives at the rounded values.
ErrorExponent by_derivative(Op op, mpfr_srcptr result, std::span<const Operand> operands) {
  double values[3] = {};
  for (size_t i = 0; i < operands.size(); ++i)
    values[i] = mpfr_get_d(operands[i].value, MPFR_RNDN);
  const auto slopes = partials(op, values[0], values[1], values[2], mpfr_get_d(result, MPFR_RNDN));
  ErrorExponent error = no_error;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Operand& operand = operands[i];
    if (operand.error <= no_error / 2)
      continue;
    const double slope = std::fabs(slopes[i]);
    const bool faithful = std::isfinite(slope) && slope > 0 && std::isnormal(values[i]) && !is_lost(operand);
    if (faithful)
      error = std::max(error, plus(operand.error, std::ilogb(slope) + 1));
    else if (slope != 0 || mpfr_zero_p(operand.value) == 0)
      error = std::max(error, by_difference(op, result, operands, i));
  }
  return error;
}

ErrorExponent quotient_error(mpfr_srcptr quotient, const Operand& a, const Operand& b) {
  if (is_lost(b))
    return any_error;
  const int64_t divisor = magnitude(b);
  return std::max(plus(a.error, 1 - divisor),
                  plus(b.error, mpfr_regular_p(quotient) ? mpfr_get_exp(quotient) - divisor + 1 : no_error));
}

// Returns the error that the operands' errors cause. The traits determine how they pass. Products and quotients keep
// bounds where slopes in double would not; the table's partials handle the rest.
ErrorExponent passed_on(Op op, mpfr_srcptr result, std::span<const Operand> operands) {
  if ((op == Op::fsub || op == Op::fdiv) && operands[0].value == operands[1].value) // x - x, x / x
    return no_error;
  if (has(op, trait::isometric))
    return largest(operands);
  if (has(op, trait::steps)) // jumps belong to the path
    return largest(operands) < 0 ? no_error : largest(operands);
  if (op == Op::fmul)
    return product_error(operands[0], operands[1]);
  if (op == Op::fma)
    return std::max(product_error(operands[0], operands[1]), operands[2].error);
  if (op == Op::fdiv)
    return quotient_error(result, operands[0], operands[1]);
  if (std::any_of(operands.begin(), operands.end(), [op](const Operand& x) { return is_lost_to(op, x); }))
    return any_error;
  return by_derivative(op, result, operands);
}

} // namespace

ErrorExponent error_exponent(Op op, mpfr_srcptr result, bool inexact, std::span<const Operand> operands) {
  const ErrorExponent own = inexact && mpfr_regular_p(result) ? mpfr_get_exp(result) - mpfr_get_prec(result) : no_error;
  if (!mpfr_number_p(result)) // an infinity or NaN is right if its operands were
    return largest(operands) <= no_error / 2                        ? no_error
           : std::any_of(operands.begin(), operands.end(), is_lost) ? any_error
                                                                    : no_error;
  return std::max(own, passed_on(op, result, operands));
}

int64_t good_bits(mpfr_srcptr value, ErrorExponent error) {
  if (error <= no_error / 2)
    return any_error;
  if (!mpfr_regular_p(value))
    return mpfr_zero_p(value) ? 0 : (error >= any_error / 2 ? 0 : any_error);
  return mpfr_get_exp(value) - error;
}

} // namespace faultline::ops
