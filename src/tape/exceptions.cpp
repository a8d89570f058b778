#include "tape/exceptions.h"

#include "numeric/bigfloat.h"
#include "ops/op.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace faultline::tape {

using numeric::Format;
using numeric::Value;

Fates::Fates(const Tape& tape, const std::vector<size_t>& judged) : tape_(tape), judged_(judged), wanted_(tape.size()) {
  for (const size_t output : judged)
    wanted_[tape.outputs()[output].record] = true;
  mark_operands(tape, wanted_, tape.size() - 1);
}

// `passes` returns whether this record passes on its operands.
template <class Passes> Fate Fates::follow(uint32_t event, Passes passes) const {
  std::vector<bool> carries(tape_.size());
  carries[event] = true;
  Fate wanted, other; // the first record that ended it on the way to an output, and elsewhere
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

// Returns the operands that make this result zero, if they need not be zero: those of a sum of zeros, or of a product
// with an inexact zero. A sum of other numbers is zero because they cancel.
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

// True if the converted value fits the integer type.
bool fits_integer(const Site& site, Value value) {
  value = ops::evaluate80(site.op, value);
  const Value end = std::ldexp(1.0L, site.integer_bits - (site.integer_signed ? 1 : 0));
  return value < end && value >= (site.integer_signed ? -end : 0.0L);
}

} // namespace

// In a division, the divisor makes the pole. In 0/0 the dividend may be at fault as well, unless the zero divisor is
// the user's.
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

ExceptionScan::ExceptionScan(const runtime::SiteTable& table) {
  for (const Site& site : table.sites) {
    const bool skip = ops::is_leaf(site.op) || ops::is_comparison(site.op) || site.op == ops::Op::decide;
    entries_.push_back({skip                      ? skipped
                        : ops::is_to_int(site.op) ? integer
                                                  : operation,
                        uint8_t(ops::arity(site.op)), site.format});
  }
}

ExceptionScan::Size ExceptionScan::size_of_any(Value value, numeric::Format format) {
  return std::isnan(value)                                     ? Size::nan
         : std::isinf(value)                                   ? Size::infinite
         : std::fabs(value) < numeric::smallest_normal(format) ? Size::tiny
                                                               : Size::ordinary;
}

// A conversion whose integer does not fit counts as infinite, whatever the integer is.
ExceptionScan::Size ExceptionScan::size_of_conversion(const Tape& tape, uint32_t index) {
  return may_be_exceptional(tape, index) ? Size::infinite : Size::ordinary;
}

ExceptionScan::Size ExceptionScan::size_of_operand(const Tape& tape, uint32_t operand) const {
  if (runtime::is_constant(operand))
    return size_of_any(tape.exact(operand), numeric::all_formats.back());
  const Record& record = tape.record(operand);
  return size_of(record.result, entries_[record.site].format);
}

bool may_be_exceptional(const Tape& tape, uint32_t index) {
  const Site& site = tape.site(index);
  if (ops::is_leaf(site.op) || ops::is_comparison(site.op) || site.op == ops::Op::decide)
    return false;
  const Record& record = tape.record(index);
  if (ops::is_to_int(site.op))
    return !fits_integer(site, tape.exact(record.a));
  return numeric::with_type(site.format, [&](auto type) {
    using Float = typename decltype(type)::type;
    const auto magnitude = std::fabs(record.result.as<Float>());
    return !(magnitude >= std::numeric_limits<Float>::min() && magnitude <= std::numeric_limits<Float>::max());
  });
}

ops::Exception exception_of(const Tape& tape, uint32_t index) {
  const Record& record = tape.record(index);
  const Site& site = tape.site(index);
  if (ops::is_to_int(site.op))
    return fits_integer(site, tape.exact(record.a)) ? ops::Exception::none : ops::Exception::invalid;
  const int arity = ops::arity(site.op);
  const Value a = tape.exact(record.a);
  const Value b = arity > 1 ? tape.exact(record.b) : 0;
  const Value c = arity > 2 ? tape.exact(record.c) : 0;
  return ops::exception(site.op, site.format, a, b, c, tape.exact(index));
}

std::vector<bool> used_records(const Tape& tape) {
  std::vector<bool> used(tape.size());
  for (const exec::OutputValue& output : tape.outputs())
    used[output.record] = true;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (const ops::Op op = tape.site(index).op; ops::is_comparison(op) || ops::is_to_int(op))
      used[index] = true;
  mark_operands(tape, used, tape.size() - 1);
  return used;
}

std::vector<ExceptionEvent> exceptions(const Tape& tape) {
  std::vector<ExceptionEvent> events;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (may_be_exceptional(tape, index))
      if (ops::Exception kind = exception_of(tape, index); kind != ops::Exception::none)
        events.push_back({index, kind});
  return events;
}

} // namespace faultline::tape
