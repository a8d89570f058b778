#include "certificate/box_check.h"

#include "ops/order.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace faultline::certificate {

using finding::CertifiedStep;
using finding::ErrorMeasure;
using numeric::Format;

namespace {

std::string words_of(const CertifiedStep& step, size_t index) {
  return fmt::format("step {} ({})", index, ops::name(step.op));
}

bool is_within(Format narrow, Format wide) { return numeric::info(narrow).precision <= numeric::info(wide).precision; }

// One of the format's numbers, in between if the certificate has no digits for it.
bool can_be(const finding::CertifiedConstant& constant, Format format) {
  if (constant.low < constant.high)
    return numeric::is_widest(format);
  return std::isfinite(constant.low) && is_float(Real(constant.low), format);
}

bool can_be(int64_t whole, Format format) {
  Real number;
  arf_set_si(number.raw(), whole);
  return is_float(number, format);
}

} // namespace

Real largest(Format format) {
  const numeric::FormatInfo info = numeric::info(format);
  Real number = Real::power_of_two(info.precision);
  arf_sub_ui(number.raw(), number.raw(), 1, ARF_PREC_EXACT, ARF_RND_DOWN);
  arf_mul_2exp_si(number.raw(), number.raw(), info.max_exponent - info.precision + 1);
  return number;
}

bool is_float(const Real& number, Format format) {
  if (!is_finite(number))
    return arf_is_inf(number.raw());
  Real magnitude;
  arf_abs(magnitude.raw(), number.raw());
  return magnitude <= largest(format) && ops::grain_of(number) >= ops::unit_exponent(magnitude, format);
}

Real float_above(const Real& number, Format format) {
  Real magnitude, next;
  arf_abs(magnitude.raw(), number.raw());
  int64_t unit = ops::unit_exponent(magnitude, format);
  // Toward 0 the floats below a power of two are the nearer ones.
  if (number.sign() < 0 && is_power_of_two(magnitude))
    unit = std::max(unit - 1, ops::smallest_exponent(format));
  arf_add(next.raw(), number.raw(), Real::power_of_two(unit).raw(), ARF_PREC_EXACT, ARF_RND_DOWN);
  return next;
}

std::string flaw_of(const finding::Certificate& certificate, const finding::CertifiedPath& path) {
  const size_t inputs = certificate.inputs.size(), first = inputs + path.constants.size();
  for (size_t index = 0; index < path.steps.size(); ++index) {
    const CertifiedStep& step = path.steps[index];
    for (int i = 0; i < ops::arity(step.op); ++i) {
      const uint32_t slot = step.operands[size_t(i)];
      if (slot >= inputs && slot < first && std::isnan(path.constants[slot - inputs].low))
        return fmt::format("operand {} of {} is not a number", i, words_of(step, index));
      if (ops::is_decision(step.op) || (ops::has_integer_operand(step.op) && i == 1))
        continue;
      bool fits = true;
      if (slot < inputs)
        fits = is_within(certificate.inputs[slot].format, step.format);
      else if (slot < first)
        fits = can_be(path.constants[slot - inputs], step.format);
      else if (const CertifiedStep& source = path.steps[slot - first]; source.outcome)
        fits = can_be(*source.outcome, step.format);
      else
        fits = is_within(source.format, step.format);
      if (!fits && step.op != ops::Op::fptrunc)
        return fmt::format("operand {} of {} is no number of {}", i, words_of(step, index),
                           numeric::info(step.format).name);
    }
  }
  return "";
}

BoxCheck::BoxCheck(const finding::Certificate& certificate, const finding::CertifiedPath& path, slong precision)
    : certificate_(certificate), path_(path), precision_(precision),
      slots_(certificate.inputs.size() + path.constants.size() + path.steps.size()), adjoints_(slots_.size()),
      errors_(certificate.outputs.size()) {
  for (const Format format : numeric::all_formats)
    largest_[size_t(format)] = largest(format);
  for (size_t i = 0; i < path.constants.size(); ++i) {
    Slot& slot = slots_[certificate.inputs.size() + i];
    slot.values = {path.constants[i].low, path.constants[i].high, precision};
    slot.is_constant = true;
    if (slot.values.single() && is_finite(slot.values.low))
      slot.grain = ops::grain_of(slot.values.low);
  }
}

ops::OperandRanges<Range> BoxCheck::operands_of(const CertifiedStep& step) const {
  return {&slots_[step.operands[0]].values, &slots_[step.operands[1]].values, &slots_[step.operands[2]].values};
}

void BoxCheck::place_inputs(const Box& box) {
  for (size_t i = 0; i < certificate_.inputs.size(); ++i) {
    const finding::CertifiedInput& input = certificate_.inputs[i];
    Slot& slot = slots_[i];
    slot.error = input.rounded ? ops::half_unit_around(box[i], input.format) : Real(input.error);
    slot.grain = box[i].single() ? ops::grain_of(box[i].low) : ops::grain_of_floats(box[i], input.format);
    slot.values = widened({box[i].low, box[i].high, precision_}, slot.error);
    slot.is_exact = slot.error.sign() == 0;
  }
}

// Does the other outcome follow for some order of the operands that is possible?
bool BoxCheck::leads_elsewhere(const CertifiedStep& step) const {
  const auto [a, b, unused] = operands_of(step);
  const auto elsewhere = [&](int order) {
    return ops::holds(step.op, ops::order_between(order, 0)) != (*step.outcome != 0);
  };
  if (step.operands[0] == step.operands[1])
    return elsewhere(0);
  const bool can_be_equal = a->low <= b->high && b->low <= a->high;
  return (a->low < b->high && elsewhere(-1)) || (b->low < a->high && elsewhere(1)) || (can_be_equal && elsewhere(0));
}

std::string BoxCheck::decide(const CertifiedStep& step) const {
  if (!ops::is_to_int(step.op))
    return leads_elsewhere(step) ? "may go another way" : "";
  const Range integer = ops::range_of(step.op, operands_of(step), false);
  return integer.single() && arf_cmp_si(integer.low.raw(), *step.outcome) == 0 ? "" : "may give another integer";
}

std::string BoxCheck::forward() {
  for (size_t index = 0; index < path_.steps.size(); ++index) {
    const CertifiedStep& step = path_.steps[index];
    Slot& slot = slots_[first_step() + index];
    if (step.outcome) {
      if (const std::string why = decide(step); !why.empty())
        return fmt::format("{} {}", words_of(step, index), why);
      arf_set_si(slot.values.low.raw(), *step.outcome);
      slot.values.high = slot.values.low;
      slot.grain = ops::grain_of(slot.values.low);
      slot.is_constant = true;
      continue;
    }
    const ops::OperandRanges<Range> operands = operands_of(step);
    const bool same = ops::arity(step.op) > 1 && step.operands[0] == step.operands[1];
    const Range exact = ops::range_of(step.op, operands, same);
    const bool jumps = step.op == ops::Op::copysign && operands[1]->has(0) && !slots_[step.operands[1]].is_exact;
    if (!exact.known() || jumps)
      return fmt::format("{} may have no result", words_of(step, index));
    std::array<ops::RoundedOperand<Range>, 3> rounded;
    bool are_exact = true;
    for (size_t i = 0; i < size_t(ops::arity(step.op)); ++i) {
      const Slot& operand = slots_[step.operands[i]];
      are_exact = are_exact && operand.is_exact;
      rounded[i] = {&operand.values, operand.grain, operand.is_constant};
    }
    ops::Rounded<Range> result = ops::rounding_error<Range>(step.op, step.format, exact, rounded);
    if (!is_finite(result.error))
      return fmt::format("nobody knows the error of {}", words_of(step, index));
    slot.grain = result.grain;
    if (ops::rounding_of(step.op) != ops::Rounding::none && !are_exact) {
      // It jumps, and has no slope: what the run and exact arithmetic may differ by is its own error.
      slot.values = exact;
      slot.error = (exact - exact).high;
      slot.is_exact = slot.error.sign() == 0;
    } else {
      slot.values = widened(exact, result.error);
      slot.error = std::move(result.error);
      slot.is_exact = are_exact && slot.error.sign() == 0;
    }
    if (!(slot.values.magnitude() <= largest_[size_t(step.format)]))
      return fmt::format("{} may overflow", words_of(step, index));
  }
  return "";
}

bool BoxCheck::pass_back(const CertifiedStep& step, const Range& adjoint, const Range& result) {
  const auto operands = std::span(step.operands).first(size_t(ops::arity(step.op)));
  const auto is_settled = [&](uint32_t slot) { return slots_[slot].is_constant || slots_[slot].is_exact; };
  if (std::ranges::all_of(operands, is_settled))
    return true; // they are the same in exact arithmetic
  const std::array<Range, 3> slopes = ops::slopes_of(step.op, operands_of(step), result);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (is_settled(operands[i]))
      continue;
    if (!slopes[i].known())
      return false;
    Range& sum = adjoints_[operands[i]];
    sum = sum + slopes[i] * adjoint;
  }
  return true;
}

bool BoxCheck::backward(size_t output) {
  for (Range& adjoint : adjoints_)
    adjoint = Range();
  const uint32_t last = path_.outputs[output];
  adjoints_[last] = Range::of(1);
  Real sum;
  for (uint32_t slot = last + 1; slot-- > first_step();) {
    const CertifiedStep& step = path_.steps[slot - first_step()];
    if (step.outcome || adjoints_[slot].is_zero())
      continue;
    if (slots_[slot].error.sign() > 0)
      sum = sum_up(sum, product_up(adjoints_[slot].magnitude(), slots_[slot].error, precision_), precision_);
    if (!pass_back(step, adjoints_[slot], slots_[slot].values))
      return false;
  }
  for (size_t i = 0; i < certificate_.inputs.size(); ++i)
    if (slots_[i].error.sign() > 0)
      sum = sum_up(sum, product_up(adjoints_[i].magnitude(), slots_[i].error, precision_), precision_);
  measure(output, std::move(sum));
  return true;
}

void BoxCheck::measure(size_t output, Real sum) {
  Errors& errors = errors_[output];
  if (sum.sign() == 0) { // also of results that are no numbers
    errors = {};
    return;
  }
  const Range& values = slots_[path_.outputs[output]].values;
  const Real least = std::max(values.mignitude(), Real(certificate_.floor));
  errors[size_t(ErrorMeasure::ulps)] =
      quotient_up(sum, ops::unit_at(values, certificate_.outputs[output].format), precision_);
  if (least.sign() > 0)
    errors[size_t(ErrorMeasure::relative)] = quotient_up(sum, least, precision_);
  else
    errors[size_t(ErrorMeasure::relative)] = Range::infinity();
  errors[size_t(ErrorMeasure::absolute)] = std::move(sum);
}

std::string BoxCheck::evaluate(const Box& box) {
  place_inputs(box);
  if (const std::string why = forward(); !why.empty())
    return why;
  for (size_t output = 0; output < path_.outputs.size(); ++output)
    if (!backward(output))
      return fmt::format("a slope on the way to output {} may be infinite", output);
  return "";
}

} // namespace faultline::certificate
