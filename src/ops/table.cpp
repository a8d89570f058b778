#include "ops/table.h"

#include <span>

#include "ops/arithmetic.h"
#include "ops/bessel.h"
#include "ops/comparison.h"
#include "ops/complex.h"
#include "ops/exponential.h"
#include "ops/rounding.h"
#include "ops/special.h"
#include "ops/trigonometric.h"

namespace faultline::ops {

namespace {

constexpr std::span<const Entry> families[] = {arithmetic,        rounding, exponential, trigonometric,
                                               complex_functions, special,  bessel,      comparison};

constexpr int entries_of(Op op) {
  int count = 0;
  for (const auto family : families)
    for (const Entry& candidate : family)
      count += candidate.op == op;
  return count;
}

constexpr const Entry* find(Op op) {
  for (const auto family : families)
    for (const Entry& candidate : family)
      if (candidate.op == op)
        return &candidate;
  return nullptr;
}

constexpr std::array<const Entry*, operation_count> table{
#define FAULTLINE_OPERATION_ENTRY(name, arity, traits) find(Op::name),
    FAULTLINE_OPERATIONS(FAULTLINE_OPERATION_ENTRY)
#undef FAULTLINE_OPERATION_ENTRY
};

#define FAULTLINE_OPERATION_CHECK(name, arity, traits)                                                                 \
  static_assert(entries_of(Op::name) == 1, "an operation needs one entry in the table: " #name);
FAULTLINE_OPERATIONS(FAULTLINE_OPERATION_CHECK)
#undef FAULTLINE_OPERATION_CHECK

Gradient without_nan(Gradient gradient) {
  for (double& component : gradient)
    component = component == component ? component : 0;
  return gradient;
}

} // namespace

const Entry& entry(Op op) { return *table[static_cast<size_t>(op)]; }

bool potentially_unstable(Op op) { return entry(op).potentially_unstable; }
std::string_view symbol(Op op) { return entry(op).symbol; }

double evaluate(Op op, double a, double b, double c) { return entry(op).native.binary64(a, b, c); }
float evaluate32(Op op, float a, float b, float c) { return entry(op).native.binary32(a, b, c); }
long double evaluate80(Op op, long double a, long double b, long double c) {
  return entry(op).native.extended80(a, b, c);
}

numeric::Value evaluate(Op op, numeric::Format format, numeric::Value a, numeric::Value b, numeric::Value c) {
  switch (numeric::carrier(format)) {
  case numeric::Format::binary32:
    return numeric::nearest(evaluate32(op, float(a), float(b), float(c)), format);
  case numeric::Format::binary64:
    return evaluate(op, double(a), double(b), double(c));
  default:
    return evaluate80(op, a, b, c);
  }
}

void evaluate(Op op, mpfr_ptr result, mpfr_srcptr a, mpfr_srcptr b, mpfr_srcptr c) {
  // Beyond all formats, where exact arithmetic gets by squaring again and again: it would take more memory than there
  // is, and MPFR ends the process then. Nobody knows the result.
  constexpr mpfr_exp_t most_bits = 1 << 20;
  const auto huge = [](mpfr_srcptr x) { return mpfr_regular_p(x) && mpfr_get_exp(x) > most_bits; };
  if (has(op, trait::reduces) && (huge(a) || (is_complex_part(op) && huge(b))))
    mpfr_set_nan(result);
  else
    entry(op).big(result, a, b, c);
}

Gradient partials(Op op, double a, double b, double c, double result) {
  return without_nan(entry(op).partials(a, b, c, result));
}

Gradient conditions(Op op, double a, double b, double c, double result) {
  return without_nan(entry(op).conditions(a, b, c, result));
}

double danger(Op op, double a, double b, double c, double result) { return entry(op).danger(a, b, c, result); }

} // namespace faultline::ops
