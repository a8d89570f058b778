#include "tape/shadow.h"

#include "numeric/eft.h"
#include "ops/table.h"

#include <optional>

namespace faultline::tape {

using numeric::Format;
using ops::Basic;
using ops::Op;

namespace {

template <typename Float> long double error_transformed(Op op, Float a, Float b, Float result) {
  switch (Basic(op)) {
  case Basic::fadd:
    return numeric::sum_error(a, b, result);
  case Basic::fsub:
    return numeric::sum_error(a, Float(-b), result);
  case Basic::fmul:
    return numeric::product_error(a, b, result);
  case Basic::fdiv:
    return numeric::quotient_error(a, b, result);
  case Basic::sqrt:
    break;
  }
  return numeric::sqrt_error(a, result);
}

template <typename Float> Float carried_out(Op op, Float a, Float b) {
  switch (Basic(op)) {
  case Basic::fadd:
    return a + b;
  case Basic::fsub:
    return a - b;
  case Basic::fmul:
    return a * b;
  case Basic::fdiv:
    return a / b;
  case Basic::sqrt:
    break;
  }
  return std::sqrt(a);
}

// Returns the rounding error of + - * / and sqrt.
long double local_error(Op op, Format format, long double a, long double b, long double result) {
  if (numeric::is_widest(format))
    return error_transformed(op, a, b, result);
  const bool sum = op == Op::fadd || op == Op::fsub;
  if (format == Format::binary32 && sum) // a term may lie below binary64's last digit
    return error_transformed(op, float(a), float(b), float(result));
  if (sum ||
      (format == Format::binary64 && roomy(double(a)) && (op == Op::sqrt || roomy(double(b))) && roomy(double(result))))
    return error_transformed(op, double(a), double(b), double(result));
  return format == Format::binary64 ? carried_out(op, a, b) - result
                                    : carried_out(op, double(a), double(b)) - double(result);
}

// Evaluates the operation on exact operands, for residues that have outgrown the value or for which there is no rule.
Shadow anew(const Site& site, const Shadow* operands, long double result) {
  long double exact = ops::evaluate80(site.op, operands[0].exact, operands[1].exact, operands[2].exact);
  if (ops::rounds_on_purpose(site.op))
    exact = numeric::nearest(exact, site.format);
  return {exact, exact - result};
}

// Returns the residue of + - * / sqrt from those of the operands.
long double basic_error(const Site& site, const Shadow* operands, long double a, long double b, long double result) {
  const long double local = local_error(site.op, site.format, a, b, result);
  const long double ea = operands[0].error, eb = operands[1].error;
  switch (Basic(site.op)) {
  case Basic::fadd:
    return local + (ea + eb);
  case Basic::fsub:
    return local + (ea - eb);
  case Basic::fmul:
    return ea == 0 && eb == 0 ? local : local + (a * eb + b * ea + ea * eb);
  case Basic::fdiv:
    return ea == 0 && eb == 0 ? local : (local * b + ea - result * eb) / (b + eb);
  case Basic::sqrt:
    break;
  }
  if (ea == 0)
    return local;
  const long double remainder = 2 * local * result + ea;
  return remainder / (result + std::sqrt(std::max(a + ea, 0.0L)));
}

// Evaluates x87's own functions in MPFR, since the machine has nothing better to show their roundings.
long double error_in_more_bits(const Site& site, const long double* values, int arity, long double result) {
  constexpr long precision = 128;
  thread_local numeric::BigFloat operands[3] = {numeric::BigFloat(precision), numeric::BigFloat(precision),
                                                numeric::BigFloat(precision)};
  thread_local numeric::BigFloat exact(precision);
  for (int i = 0; i < arity; ++i)
    operands[i].set(values[i]);
  ops::evaluate(site.op, exact.raw(), operands[0].raw(), operands[1].raw(), operands[2].raw());
  mpfr_sub(exact.raw(), exact.raw(), numeric::BigFloat(result, 64).raw(), MPFR_RNDN);
  const long double error = exact.to_long_double();
  return std::isfinite(error) ? error : 0;
}

long double own_error(const Site& site, const long double* values, int arity, long double result) {
  if (site.op == Op::fptrunc)
    return values[0] - result;
  if (numeric::is_widest(site.format))
    return error_in_more_bits(site, values, arity, result);
  return ops::evaluate80(site.op, values[0], values[1], values[2]) - result;
}

// Returns the residue of any other operation: its own rounding plus the slope or, for large residues, the difference.
long double function_error(const Site& site, const Shadow* operands, const long double* values, int arity,
                           long double result) {
  constexpr long double small = 0x1p-20L;
  const bool oscillates = ops::has(site.op, ops::trait::oscillates); // slopes hold only nearby
  const long double local = own_error(site, values, arity, result);
  bool exact = true, linear = true;
  for (int i = 0; i < arity; ++i) {
    exact = exact && operands[i].error == 0;
    const long double reach = oscillates ? std::min(std::fabs(values[i]), 1.0L) : std::fabs(values[i]);
    linear = linear && std::fabs(operands[i].error) <= small * reach;
  }
  if (exact)
    return local;
  if (linear) {
    const auto slopes = ops::partials(site.op, double(values[0]), double(values[1]), double(values[2]), double(result));
    long double sum = local;
    for (int i = 0; i < arity; ++i)
      sum += slopes[size_t(i)] * operands[i].error;
    if (std::fabs(sum) < 0x1p-10L * std::fabs(result))
      return sum;
  }
  return anew(site, operands, result).error;
}

// True for a sum whose residues are small against the operands: they reach below the 64 bits of a new addition.
bool has_finer_residues(Op op, const Shadow* operands) {
  constexpr long double finer = 0x1p-11L; // binary64's precision against x87's
  return (op == Op::fadd || op == Op::fsub) &&
         std::max(std::fabs(operands[0].error), std::fabs(operands[1].error)) <=
             finer * std::max(std::fabs(operands[0].exact), std::fabs(operands[1].exact));
}

// Returns one of the operands with its residue or, where rounding chose another operand, the difference.
Shadow chosen(const Shadow& operand, long double value, long double result) {
  return value == result ? operand : Shadow{operand.exact, operand.exact - result};
}

// Handles operations that select or negate an operand: its residue passes on unchanged.
std::optional<Shadow> handed_on(const Site& site, const Shadow* operands, const long double* values,
                                long double result) {
  const auto turned = [](const Shadow& shadow) { return Shadow{-shadow.exact, -shadow.error}; };
  if (site.op == Op::fneg)
    return turned(operands[0]);
  if (site.op == Op::fpext)
    return operands[0];
  if (site.op == Op::fabs)
    return operands[0].exact < 0 ? chosen(turned(operands[0]), -values[0], result)
                                 : chosen(operands[0], values[0], result);
  if (site.op == Op::fmin || site.op == Op::fmax) {
    const long double exact = anew(site, operands, result).exact;
    for (const int i : {0, 1})
      if (exact == operands[i].exact)
        return chosen(operands[i], values[i], result);
  }
  return std::nullopt;
}

} // namespace

Shadow shadow_of(const Site& site, const Shadow* operands, const long double* values, int arity, long double result) {
  if (const auto handed = handed_on(site, operands, values, result))
    return *handed;
  if (ops::is_decision(site.op))
    return {result, 0};
  if (ops::has(site.op, ops::trait::jumps) || !std::isfinite(result))
    return anew(site, operands, result);
  const long double error = ops::is_basic(site.op) ? basic_error(site, operands, values[0], values[1], result)
                                                   : function_error(site, operands, values, arity, result);
  if (std::fabs(error) * 2 < std::fabs(result) || (error == 0 && result == 0))
    return {result + error, error};
  if (!std::isfinite(error))
    return anew(site, operands, result);
  if (has_finer_residues(site.op, operands))
    return {result + error, error};
  // The exact value is small against its residue: evaluated separately, it keeps its digits.
  const long double exact = anew(site, operands, result).exact;
  return {exact, error};
}

} // namespace faultline::tape
