#include "certificate/box_check.h"

#include "numeric/ball.h"
#include "ops/order.h"

#include <fmt/format.h>

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

BoxCheck::BoxCheck(const finding::Certificate& certificate, const finding::CertifiedPath& path,
                   const Functions& functions)
    : certificate_(certificate), path_(path), functions_(functions),
      slots_(certificate.inputs.size() + path.constants.size() + path.steps.size()), adjoints_(slots_.size()),
      errors_(certificate.outputs.size()) {
  for (const Format format : numeric::all_formats)
    largest_[size_t(format)] = largest(format);
  for (size_t i = 0; i < path.constants.size(); ++i) {
    Slot& slot = slots_[certificate.inputs.size() + i];
    slot.values = {Real(path.constants[i].low), Real(path.constants[i].high)};
    slot.is_constant = true;
    if (slot.values.is_single() && slot.values.is_finite())
      slot.grain = grain_of(slot.values.low);
  }
}

std::array<const Range*, 3> BoxCheck::operands_of(const CertifiedStep& step) const {
  return {&slots_[step.operands[0]].values, &slots_[step.operands[1]].values, &slots_[step.operands[2]].values};
}

void BoxCheck::place_inputs(const Box& box) {
  for (size_t i = 0; i < certificate_.inputs.size(); ++i) {
    const finding::CertifiedInput& input = certificate_.inputs[i];
    Slot& slot = slots_[i];
    slot.error = input.rounded ? half_unit_around(box[i].most(), input.format) : Real(input.error);
    slot.grain = box[i].is_single() ? grain_of(box[i].low) : grain_of_floats(box[i], input.format);
    slot.values = functions_.rounding().widened(box[i], slot.error);
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
  const std::array<const Range*, 3> operands = operands_of(step);
  const MaybeRange integer = functions_.value(step.op, operands, false);
  return integer && integer->is_single() && arf_cmp_si(integer->low.raw(), *step.outcome) == 0
             ? ""
             : "may give another integer";
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
      slot.grain = grain_of(slot.values.low);
      slot.is_constant = true;
      continue;
    }
    const std::array<const Range*, 3> operands = operands_of(step);
    const bool same = ops::arity(step.op) > 1 && step.operands[0] == step.operands[1];
    const MaybeRange exact = functions_.value(step.op, operands, same);
    const bool jumps = step.op == ops::Op::copysign && operands[1]->has_zero() && !slots_[step.operands[1]].is_exact;
    if (!exact || jumps)
      return fmt::format("{} may have no result", words_of(step, index));
    std::array<RoundedOperand, 3> rounded;
    bool are_exact = true;
    for (size_t i = 0; i < size_t(ops::arity(step.op)); ++i) {
      const Slot& operand = slots_[step.operands[i]];
      are_exact = are_exact && operand.is_exact;
      rounded[i] = {&operand.values, operand.grain, operand.is_constant};
    }
    std::optional<Rounded> result = rounding_error(step.op, step.format, *exact, rounded, functions_.rounding());
    if (!result)
      return fmt::format("nobody knows the error of {}", words_of(step, index));
    slot.grain = result->grain;
    if (ops::rounding_of(step.op) != ops::Rounding::none && !are_exact) {
      // It jumps, and has no slope: what the run and exact arithmetic may differ by is its own error.
      slot.values = *exact;
      slot.error = functions_.rounding().difference(*exact, *exact).high;
      slot.is_exact = slot.error.sign() == 0;
    } else {
      slot.values = functions_.rounding().widened(*exact, result->error);
      slot.error = std::move(result->error);
      slot.is_exact = are_exact && slot.error.sign() == 0;
    }
    if (!(slot.values.most() <= largest_[size_t(step.format)]))
      return fmt::format("{} may overflow", words_of(step, index));
  }
  return "";
}

bool BoxCheck::pass_back(const CertifiedStep& step, const Range& adjoint, const Range& result) {
  const Rounding& rounding = functions_.rounding();
  const std::array<const Range*, 3> operands = operands_of(step);
  const std::array<MaybeRange, 3> slopes = functions_.slopes(step.op, operands, result);
  for (size_t i = 0; i < size_t(ops::arity(step.op)); ++i) {
    const Slot& operand = slots_[step.operands[i]];
    if (operand.is_constant || operand.is_exact)
      continue; // it is the same in exact arithmetic
    if (!slopes[i])
      return false;
    Range& sum = adjoints_[step.operands[i]];
    sum = rounding.sum(sum, rounding.product(*slopes[i], adjoint));
  }
  return true;
}

bool BoxCheck::backward(size_t output) {
  const Rounding& rounding = functions_.rounding();
  for (Range& adjoint : adjoints_)
    adjoint = Range();
  const uint32_t last = path_.outputs[output];
  adjoints_[last] = Range(1.0);
  Real sum;
  for (uint32_t slot = last + 1; slot-- > first_step();) {
    const CertifiedStep& step = path_.steps[slot - first_step()];
    if (step.outcome || adjoints_[slot].is_zero())
      continue;
    if (slots_[slot].error.sign() > 0)
      sum = rounding.sum_up(sum, rounding.product_up(adjoints_[slot].most(), slots_[slot].error));
    if (!pass_back(step, adjoints_[slot], slots_[slot].values))
      return false;
  }
  for (size_t i = 0; i < certificate_.inputs.size(); ++i)
    if (slots_[i].error.sign() > 0)
      sum = rounding.sum_up(sum, rounding.product_up(adjoints_[i].most(), slots_[i].error));
  measure(output, std::move(sum));
  return true;
}

void BoxCheck::measure(size_t output, Real sum) {
  Errors& errors = errors_[output];
  if (sum.sign() == 0) { // also of results that are no numbers
    errors = {};
    return;
  }
  const Rounding& rounding = functions_.rounding();
  const Real nearest = slots_[path_.outputs[output]].values.least();
  const Real floor(certificate_.floor), least = nearest < floor ? floor : nearest;
  errors[size_t(ErrorMeasure::ulps)] = rounding.quotient_up(sum, unit_at(nearest, certificate_.outputs[output].format));
  if (least.sign() > 0)
    errors[size_t(ErrorMeasure::relative)] = rounding.quotient_up(sum, least);
  else
    arf_pos_inf(errors[size_t(ErrorMeasure::relative)].raw());
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
