#include "tape/fate.h"

#include "tape/exceptions.h"

#include "tape/dependence.h"

#include <algorithm>
#include <cmath>
#include <set>

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

bool is_zero(const Tape& tape, uint32_t operand) { return tape.exact(operand) == 0; }
bool is_given(const Tape& tape, uint32_t operand) {
  return runtime::is_constant(operand) || ops::is_leaf(tape.site(operand).op);
}

// The operands that this result is zero by, if they need not have been: a sum of zeros, or a product with a zero that
// is not an exact one. A sum of other numbers is zero because they cancel.
std::vector<uint32_t> zeros_behind(const Tape& tape, uint32_t zero) {
  std::vector<uint32_t> zeros;
  bool all_zero = true, given = false;
  for (int i = 0; i < ops::arity(tape.site(zero).op); ++i) {
    const uint32_t operand = tape.operand(zero, i);
    const bool vanished = is_zero(tape, operand);
    all_zero = all_zero && vanished;
    given = given || (vanished && is_given(tape, operand));
    if (vanished && !is_given(tape, operand))
      zeros.push_back(operand);
  }
  switch (tape.site(zero).op) {
  case ops::Op::fadd:
  case ops::Op::fsub:
    return all_zero ? zeros : std::vector<uint32_t>();
  case ops::Op::fmul:
    return given ? std::vector<uint32_t>() : zeros;
  case ops::Op::fneg:
  case ops::Op::fabs:
  case ops::Op::sqrt:
  case ops::Op::cbrt:
  case ops::Op::fpext:
  case ops::Op::fptrunc:
    return zeros;
  default:
    return {};
  }
}

bool divides(ops::Op op) {
  return op == ops::Op::fdiv || op == ops::Op::fmod || op == ops::Op::remainder || op == ops::Op::modulo;
}

uint32_t underflow_among(const Tape& tape, std::vector<uint32_t> waiting) {
  std::set<uint32_t> seen(waiting.begin(), waiting.end());
  while (!waiting.empty()) {
    const uint32_t zero = waiting.back();
    waiting.pop_back();
    if (exception_of(tape, zero) == ops::Exception::underflow)
      return zero;
    for (const uint32_t behind : zeros_behind(tape, zero))
      if (seen.insert(behind).second)
        waiting.push_back(behind);
  }
  return 0;
}

} // namespace

// Of a division it is the divisor that makes the pole. Of 0/0 what is divided may be to blame as well, unless the zero
// below it is the user's.
uint32_t underflow_behind(const Tape& tape, uint32_t record) {
  const ops::Op op = tape.site(record).op;
  std::vector<uint32_t> zeros;
  bool given = false;
  for (int i = divides(op) ? 1 : 0; i < ops::arity(op); ++i)
    if (const uint32_t operand = tape.operand(record, i); is_zero(tape, operand)) {
      given = given || is_given(tape, operand);
      if (!is_given(tape, operand))
        zeros.push_back(operand);
    }
  if (const uint32_t underflow = underflow_among(tape, std::move(zeros)))
    return underflow;
  const uint32_t divided = tape.operand(record, 0);
  return divides(op) && !given && is_zero(tape, divided) && !is_given(tape, divided) ? underflow_among(tape, {divided})
                                                                                     : 0;
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
