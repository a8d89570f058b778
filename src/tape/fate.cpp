#include "tape/fate.h"

#include "tape/exceptions.h"

#include "tape/dependence.h"

#include <algorithm>
#include <cmath>

namespace faultline::tape {

Fates::Fates(const Tape& tape, const std::vector<size_t>& judged) : tape_(tape), judged_(judged), wanted_(tape.size()) {
  for (const size_t output : judged)
    wanted_[tape.outputs()[output].record] = true;
  mark_operands(tape, wanted_, tape.size() - 1);
}

// `passes`: does this record hand on what its operands brought?
template <class Passes>
Fate Fates::follow(uint32_t event, Passes passes) const {
  std::vector<bool> carries(tape_.size());
  carries[event] = true;
  Fate wanted, other; // the first that ended it on the way to an output, and elsewhere
  for (uint32_t index = event + 1; index < tape_.size(); ++index) {
    const ops::Op op = tape_.site(index).op;
    const int arity = ops::arity(op);
    for (int i = 0; i < arity; ++i) {
      const uint32_t operand = tape_.operand(index, i);
      if (runtime::is_constant(operand) || !carries[operand])
        continue;
      const End end = ops::is_comparison(op) ? End::comparison : ops::is_to_int(op) ? End::conversion : End::arithmetic;
      if (end == End::arithmetic && passes(index))
        carries[index] = true;
      else if (Fate& fate = end == End::arithmetic && wanted_[index] ? wanted : other; fate.end == End::unused)
        fate = {end, 0, index, operand};
      break;
    }
  }
  const auto reached = [&](size_t output) {
    const uint32_t record = tape_.outputs()[output].record;
    return record != 0 && carries[record];
  };
  if (const auto output = std::ranges::find_if(judged_, reached); output != judged_.end())
    return {End::output, *output, 0, 0};
  for (size_t output = 0; output < tape_.outputs().size(); ++output)
    if (reached(output))
      return {End::unjudged, output, 0, 0};
  return wanted.end != End::unused ? wanted : other;
}

Fate Fates::of_nonfinite(uint32_t record) const {
  return follow(record, [this](uint32_t index) { return !std::isfinite(tape_.exact(index)); });
}

Fate Fates::of_number(uint32_t record) const {
  return follow(record, [](uint32_t) { return true; });
}

namespace {

// Zero because of this operand alone?
bool keeps_zero(ops::Op op) {
  return op == ops::Op::fmul || op == ops::Op::fneg || op == ops::Op::fabs || op == ops::Op::sqrt ||
         op == ops::Op::cbrt || op == ops::Op::fpext || op == ops::Op::fptrunc;
}

uint32_t zero_operand(const Tape& tape, uint32_t record) {
  for (int i = 0; i < ops::arity(tape.site(record).op); ++i)
    if (const uint32_t operand = tape.operand(record, i); !runtime::is_constant(operand) && tape.exact(operand) == 0)
      return operand;
  return 0;
}

} // namespace

uint32_t underflow_behind(const Tape& tape, uint32_t record) {
  for (uint32_t zero = zero_operand(tape, record); zero != 0; zero = zero_operand(tape, zero)) {
    if (ops::is_leaf(tape.site(zero).op))
      return 0;
    if (exception_of(tape, zero) == ops::Exception::underflow)
      return zero;
    if (!keeps_zero(tape.site(zero).op))
      return 0;
  }
  return 0;
}

uint32_t nonfinite_operand(const Tape& tape, uint32_t record) {
  const int arity = ops::arity(tape.site(record).op);
  for (int i = 0; i < arity; ++i)
    if (const uint32_t operand = tape.operand(record, i); !std::isfinite(tape.exact(operand)))
      return operand;
  return 0;
}

uint32_t source_of_nonfinite(const Tape& tape, uint32_t record) {
  while (!runtime::is_constant(record)) {
    const uint32_t operand = nonfinite_operand(tape, record);
    if (operand == 0)
      return record;
    record = operand;
  }
  return 0;
}

} // namespace faultline::tape
