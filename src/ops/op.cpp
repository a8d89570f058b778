#include "ops/op.h"

#include "numeric/bigfloat.h"
#include "ops/table.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace faultline::ops {

namespace {

using numeric::BigFloat;
using numeric::Format;

struct Operands {
  numeric::Value value[3];
  int count;

  template <class Predicate> bool any(Predicate predicate) const {
    for (int i = 0; i < count; ++i)
      if (predicate(value[i]))
        return true;
    return false;
  }
};

// True at a pole, where an infinite result is a division by zero and not an overflow.
bool is_at_pole(Op op, const Operands& operands) {
  for (const Trigger& trigger : entry(op).raises)
    if (trigger.kind == Exception::divide_by_zero &&
        std::all_of(trigger.begin(), trigger.end(), [&](const Condition& condition) {
          return holds(condition, operands.value[condition.operand], numeric::all_formats.back());
        }))
      return true;
  return false;
}

bool converts_to_int64(numeric::Value integer) { return integer >= -0x1p63L && integer < 0x1p63L; }

// Enough for most exact results (the 128 bits of a product of two x87 numbers, plus an addend that overlaps them).
// MPFR's inexact flag shows the others.
constexpr mpfr_prec_t exact_precision = 320;

// Called only if the result is at most the smallest normal number, off the common path.
bool underflows(Op op, Format format, const Operands& operands, numeric::Value result) {
  const numeric::FormatInfo form = numeric::info(format);
  BigFloat a(operands.value[0], 64), b(operands.value[1], 64), c(operands.value[2], 64);
  BigFloat exact(exact_precision);
  mpfr_clear_flags();
  evaluate(op, exact.raw(), a.raw(), b.raw(), c.raw());
  if (mpfr_underflow_p())
    return true;
  const bool inexact = mpfr_inexflag_p() || exact != BigFloat(result, 64);
  if (!inexact || !exact.is_finite() || exact.is_zero())
    return false;
  BigFloat rounded(form.precision);
  rounded.set(exact);
  return rounded.is_zero() || mpfr_get_exp(rounded.raw()) - 1 < form.min_exponent;
}

constexpr std::array<std::string_view, operation_count> names{{
#define FAULTLINE_OPERATION_NAME(name, arity, traits) #name,
    FAULTLINE_OPERATIONS(FAULTLINE_OPERATION_NAME)
#undef FAULTLINE_OPERATION_NAME
}};

} // namespace

Exception exception(Op op, Format format, numeric::Value a, numeric::Value b, numeric::Value c, numeric::Value result) {
  if (is_leaf(op) || is_comparison(op) || op == Op::decide)
    return Exception::none;
  if (is_to_int(op))
    return converts_to_int64(evaluate80(op, a)) ? Exception::none : Exception::invalid;

  const Operands operands{{a, b, c}, arity(op)};
  if (operands.any([](numeric::Value x) { return std::isnan(x); }))
    return Exception::none;
  if (std::isnan(result))
    return Exception::invalid;
  if (operands.any([](numeric::Value x) { return std::isinf(x); }))
    return Exception::none;
  if (std::isinf(result))
    return is_at_pole(op, operands) ? Exception::divide_by_zero : Exception::overflow;

  const numeric::Value smallest_normal = std::ldexp(1.0L, numeric::info(format).min_exponent);
  if (std::fabs(result) <= smallest_normal && underflows(op, format, operands, result))
    return Exception::underflow;
  return Exception::none;
}

std::string_view name(Exception exception) {
  constexpr std::string_view texts[] = {"none",
#define FAULTLINE_EXCEPTION_TEXT(name, text) text,
                                        FAULTLINE_EXCEPTIONS(FAULTLINE_EXCEPTION_TEXT)
#undef FAULTLINE_EXCEPTION_TEXT
  };
  return texts[static_cast<size_t>(exception)];
}

std::string_view name(Op op) { return names[static_cast<size_t>(op)]; }

} // namespace faultline::ops
