#include "tape/phase.h"

#include "ops/table.h"

#include <algorithm>
#include <cmath>

namespace faultline::tape {

using ops::Op;

namespace {

constexpr size_t most_records = 256;
constexpr long fraction_bits = 64; // below the point: the phase, and what roundings on the way lose

int exponent(long double value) { return value == 0 ? 0 : std::ilogb(value) + 1; }

// A number of this precision, whatever the old one.
void prepare(numeric::BigFloat& number, long precision) {
  if (number.precision() != precision)
    mpfr_set_prec(number.raw(), precision);
}

} // namespace

bool phase_is_lost(long double argument, long double error) {
  constexpr long double exact_enough = 0x1p-20L; // the slope tells the rest
  constexpr long double argument_limit = 0x1p+53L, error_limit = 0x1p+38L;
  const long double size = std::fabs(argument), wrong = std::fabs(error);
  return wrong > exact_enough * std::min(size, 1.0L) && (size > argument_limit || wrong > error_limit);
}

std::optional<long double> Phases::exact(const Tape& tape, uint32_t index) {
  constexpr long result_precision = 80;
  const uint32_t argument = tape.operand(index, 0);
  if (argument == 0 || runtime::is_constant(argument))
    return std::nullopt;
  if (argument != argument_) {
    argument_ = argument;
    known_ = gather(tape, argument) && carry_out(tape);
  }
  if (!known_)
    return std::nullopt;
  prepare(result_, result_precision);
  mpfr_srcptr phase = place(argument).raw();
  ops::evaluate(tape.site(index).op, result_.raw(), phase, phase, phase);
  return result_.to_long_double();
}

// What leads to the argument; false if that is too much.
bool Phases::gather(const Tape& tape, uint32_t argument) {
  records_.assign(1, argument);
  for (size_t next = 0; next < records_.size(); ++next) {
    const int arity = ops::arity(tape.site(records_[next]).op);
    for (int i = 0; i < arity; ++i) {
      const uint32_t operand = tape.operand(records_[next], i);
      if (!runtime::is_constant(operand) && std::find(records_.begin(), records_.end(), operand) == records_.end())
        records_.push_back(operand);
    }
    if (records_.size() > most_records)
      return false;
  }
  std::sort(records_.begin(), records_.end());
  return true;
}

numeric::BigFloat& Phases::place(uint32_t record) {
  return values_[size_t(std::lower_bound(records_.begin(), records_.end(), record) - records_.begin())];
}

bool Phases::carry_out(const Tape& tape) {
  int largest = 0;
  for (uint32_t record : records_) {
    const long double value = tape.exact(record);
    if (std::isfinite(value)) // what overflowed and still led to a finite argument was a divisor
      largest = std::max(largest, exponent(value));
  }
  const long precision = largest + fraction_bits;
  if (values_.size() < records_.size())
    values_.resize(records_.size());
  for (size_t i = 0; i < records_.size(); ++i) {
    const uint32_t record = records_[i];
    const Site& site = tape.site(record);
    const int arity = ops::arity(site.op);
    numeric::BigFloat& value = values_[i];
    prepare(value, precision);
    if (arity == 0 || ops::is_comparison(site.op) || ops::is_to_int(site.op)) { // the path is the run's
      value.set(tape.exact(record));
      continue;
    }
    mpfr_srcptr operands[3] = {value.raw(), value.raw(), value.raw()};
    for (int k = 0; k < arity; ++k) {
      const uint32_t operand = tape.operand(record, k);
      if (runtime::is_constant(operand)) {
        prepare(constants_[k], 64);
        constants_[k].set(tape.exact(operand));
      }
      operands[k] = (runtime::is_constant(operand) ? constants_[k] : place(operand)).raw();
    }
    ops::evaluate(site.op, value.raw(), operands[0], operands[1], operands[2]);
    if (ops::rounds_on_purpose(site.op))
      value.round_to(site.format);
  }
  return place(argument_).is_finite();
}

} // namespace faultline::tape
