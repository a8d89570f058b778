#include "tape/adjoint.h"

#include "numeric/bigfloat.h"
#include "numeric/eft.h"
#include "ops/table.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace faultline::tape {

using numeric::Format;
using ops::Basic;
using ops::Op;

namespace {

// The transformations need headroom: near the ends of the exponent range the error itself may not be representable.
template <typename Float> bool has_headroom(Float value) {
  constexpr int digits = std::numeric_limits<Float>::digits;
  static const Float low = std::ldexp(std::numeric_limits<Float>::min(), 2 * digits);
  static const Float high = std::ldexp(std::numeric_limits<Float>::max(), -digits);
  const Float magnitude = std::fabs(value);
  return magnitude == 0 || (magnitude > low && magnitude < high);
}

bool is_finite(const Tape& tape, uint32_t index) {
  return numeric::is_widest(tape.site(index).format) ? std::isfinite(tape.exact(index))
                                                     : std::isfinite(tape.value(index));
}

double by_mpfr(const Tape& tape, uint32_t index) {
  constexpr long precision = 192;
  const Record& record = tape.record(index);
  const Site& site = tape.site(index);
  const int arity = ops::arity(site.op);
  thread_local numeric::BigFloat a(precision), b(precision), c(precision), exact(precision), recorded(precision);
  a.set(arity > 0 ? tape.exact(record.a) : 0.0L);
  b.set(arity > 1 ? tape.exact(record.b) : 0.0L);
  c.set(arity > 2 ? tape.exact(record.c) : 0.0L);
  ops::evaluate(site.op, exact.raw(), a.raw(), b.raw(), c.raw());
  recorded.set(tape.exact(index));
  mpfr_sub(exact.raw(), exact.raw(), recorded.raw(), MPFR_RNDN);
  const double error = exact.to_double();
  return std::isfinite(error) ? error : 0;
}

// Formats up to binary64 are exact as doubles, which are faster to read.
template <typename Float> Float operand(const Tape& tape, uint32_t index) {
  if constexpr (std::is_same_v<Float, numeric::Value>)
    return tape.exact(index);
  else
    return Float(tape.value(index));
}

template <typename Float> double transformed(const Tape& tape, uint32_t index, Op op) {
  const Record& record = tape.record(index);
  const auto a = operand<Float>(tape, record.a);
  const auto b = op == Op::sqrt ? Float(0) : operand<Float>(tape, record.b);
  const auto result = operand<Float>(tape, index);
  const bool vanished = result == 0 && a != 0 && (op == Op::fmul || op == Op::fdiv);
  if (!has_headroom(a) || !has_headroom(b) || !has_headroom(result) || vanished)
    return by_mpfr(tape, index);
  switch (Basic(op)) {
  case Basic::fadd:
    return double(numeric::sum_error(a, b, result));
  case Basic::fsub:
    return double(numeric::sum_error(a, Float(-b), result));
  case Basic::fmul:
    return double(numeric::product_error(a, b, result));
  case Basic::fdiv:
    return double(numeric::quotient_error(a, b, result));
  case Basic::sqrt:
    return double(numeric::sqrt_error(a, result));
  }
  return 0;
}

} // namespace

double rounding(const Tape& tape, uint32_t index) {
  const Site& site = tape.site(index);
  if (ops::is_leaf(site.op) || ops::is_decision(site.op) || !is_finite(tape, index))
    return 0;
  if (ops::has(site.op, ops::trait::exact))
    return 0;
  if (site.op == Op::fptrunc) {
    const numeric::Value difference = tape.exact(tape.record(index).a) - tape.exact(index);
    return std::isfinite(difference) ? double(difference) : 0;
  }
  if (!ops::is_basic(site.op))
    return by_mpfr(tape, index);
  if (numeric::is_widest(site.format))
    return transformed<numeric::Value>(tape, index, site.op);
  // Errors of narrower formats than float's have more bits than the carrier.
  return site.format == Format::binary32 ? transformed<float>(tape, index, site.op)
                                         : transformed<double>(tape, index, site.op);
}

std::vector<double> rounding(const Tape& tape) {
  std::vector<double> errors(tape.size());
  for (uint32_t index = 1; index < tape.size(); ++index)
    errors[index] = rounding(tape, index);
  return errors;
}

double condition(const Tape& tape, uint32_t index) {
  const Record& record = tape.record(index);
  const Site& site = tape.site(index);
  const int arity = ops::arity(site.op);
  const double a = arity > 0 ? tape.value(record.a) : 0;
  const double b = arity > 1 ? tape.value(record.b) : 0;
  const double c = arity > 2 ? tape.value(record.c) : 0;
  const auto conditions = ops::conditions(site.op, a, b, c, tape.value(index));
  double largest = 0;
  for (int i = 0; i < arity; ++i)
    largest = std::max(largest, conditions[size_t(i)]);
  return largest;
}

void worst_conditions(const Tape& tape, std::vector<SiteCondition>& worst) {
  worst.assign(tape.table().sites.size(), {});
  for (uint32_t index = 1; index < tape.size(); ++index) {
    if (!ops::potentially_unstable(tape.site(index).op))
      continue;
    SiteCondition& site = worst[tape.record(index).site];
    if (double here = condition(tape, index); here > site.condition || site.record == 0)
      site = {here, index};
  }
}

SiteCondition worst_condition(const Tape& tape, uint32_t site) {
  SiteCondition worst;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.record(index).site == site)
      if (double here = condition(tape, index); here > worst.condition || worst.record == 0)
        worst = {here, index};
  return worst;
}

std::vector<double> adjoint(const Tape& tape, uint32_t output, std::span<const double> values) {
  std::vector<double> adjoints(tape.size());
  if (output == 0 || output >= tape.size())
    return adjoints;
  auto value = [&](uint32_t operand) {
    return values.empty() || runtime::is_constant(operand) ? tape.value(operand) : values[operand];
  };
  adjoints[output] = 1;
  for (uint32_t index = output; index > 0; --index) {
    const double weight = adjoints[index];
    if (weight == 0)
      continue;
    const Record& record = tape.record(index);
    const Site& site = tape.site(index);
    const int arity = ops::arity(site.op);
    if (arity == 0)
      continue;
    const auto partials = ops::partials(site.op, value(record.a), arity > 1 ? value(record.b) : 0,
                                        arity > 2 ? value(record.c) : 0, value(index));
    for (int i = 0; i < arity; ++i) {
      const uint32_t operand = tape.operand(index, i);
      const double step = weight * partials[size_t(i)];
      if (!runtime::is_constant(operand) && operand < index && std::isfinite(step))
        adjoints[operand] += step;
    }
  }
  return adjoints;
}

ErrorEstimate estimate_error(const Tape& tape, uint32_t output) {
  ErrorEstimate estimate;
  const std::vector<double> adjoints = adjoint(tape, output);
  estimate.contribution.resize(tape.size());
  for (uint32_t index = 1; index <= output && index < tape.size(); ++index) {
    if (adjoints[index] == 0)
      continue;
    estimate.contribution[index] = adjoints[index] * rounding(tape, index);
    estimate.absolute += estimate.contribution[index];
  }
  return estimate;
}

double problem_condition(const Tape& tape, uint32_t output, std::span<const double> adjoints,
                         std::span<const double> values) {
  const double result = values.empty() ? tape.value(output) : values[output];
  double sum = 0;
  for (uint32_t input = 1; input <= tape.inputs() && input < tape.size(); ++input) {
    const double term = tape.value(input) * adjoints[input];
    if (term != 0)
      sum += std::fabs(term / result);
  }
  return sum;
}

} // namespace faultline::tape
