#include "tape/residue.h"

#include "numeric/eft.h"
#include "ops/table.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline::tape {

using numeric::Format;
using ops::Op;

namespace {

constexpr size_t most_kept_records = 256;
constexpr long fraction_bits = 64; // below the point: the phase, and the loss by roundings on the way

int exponent(long double value) { return value == 0 ? 0 : std::ilogb(value) + 1; }

// Gives the number this precision and discards its value.
void prepare(numeric::BigFloat& number, long precision) {
  if (number.precision() != precision)
    mpfr_set_prec(number.raw(), precision);
}

// Where residues cancel as the operands do, the remainder lies below their own digits. The exception is two results of
// the same operation, which are most likely the same number.
long double lost_in_cancellation(const Tape& tape, uint32_t index, const Shadow* operands, const Shadow& found) {
  const Op op = tape.site(index).op;
  if ((op != Op::fadd && op != Op::fsub) || found.error != 0 || tape.exact(index) != 0)
    return 0;
  const uint32_t a = tape.operand(index, 0), b = tape.operand(index, 1);
  if (runtime::is_constant(a) || runtime::is_constant(b) || tape.site(a).op == tape.site(b).op)
    return 0;
  return 0x1p-62L * std::max(std::fabs(operands[0].error), std::fabs(operands[1].error));
}

bool decides(const Site& site) { return ops::is_comparison(site.op) || ops::is_to_int(site.op); }

} // namespace

bool phase_is_lost(long double argument, long double error) {
  constexpr long double exact_enough = 0x1p-20L; // smaller errors are covered by the slope
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

// Collects the records that lead to the argument; false if there are too many.
bool Phases::gather(const Tape& tape, uint32_t argument) {
  records_.assign(1, argument);
  for (size_t next = 0; next < records_.size(); ++next) {
    const int arity = ops::arity(tape.site(records_[next]).op);
    for (int i = 0; i < arity; ++i) {
      const uint32_t operand = tape.operand(records_[next], i);
      if (!runtime::is_constant(operand) && std::find(records_.begin(), records_.end(), operand) == records_.end())
        records_.push_back(operand);
    }
    if (records_.size() > most_kept_records)
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
    if (std::isfinite(value)) // an overflow before a finite argument was a divisor
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

void Residues::begin(const Tape& tape) {
  phases_.begin();
  if (slots_.size() < tape.size())
    slots_.resize(tape.size());
  needed_.assign(tape.size(), 0);
}

void Residues::read(const Tape& tape, const std::vector<size_t>& outputs) {
  begin(tape);
  uint32_t last = 0;
  for (size_t output : outputs) {
    const uint32_t record = tape.outputs()[output].record;
    needed_[record] = 1;
    last = std::max(last, record);
  }
  sweep_needed(tape, last); // skips other results (an error bound, another output)
}

void Residues::sweep_needed(const Tape& tape, uint32_t last) {
  mark_operands(tape, needed_, last, Through::foreign_functions);
  for (uint32_t index = 1; index <= last; ++index) {
    if (!needed_[index])
      continue;
    if (!sweep_quickly(tape, index))
      sweep(tape, index);
  }
}

Shadow Residues::shadow(const Tape& tape, uint32_t record) const {
  const Slot& slot = slots_[record];
  if (slot.state == Slot::grown)
    return {slot.exact, slot.wide_error};
  return {tape.exact(record) + slot.error, slot.error};
}

double Residues::quick_operand(const Tape& tape, uint32_t operand, double& error, bool& quick) const {
  if (runtime::is_constant(operand))
    return tape.value(operand);
  const Slot& slot = slots_[operand];
  error = slot.error;
  quick = quick && slot.state == Slot::small;
  return tape.record(operand).result.d;
}

// Handles + - * / of binary64 with small residues, by far the most frequent case, in doubles.
bool Residues::sweep_quickly(const Tape& tape, uint32_t index) {
  const Site& site = tape.site(index);
  if (site.format != Format::binary64)
    return false;
  Slot& slot = slots_[index];
  if (ops::is_leaf(site.op) && site.foreign == 0) {
    slot.error = 0;
    slot.state = Slot::small;
    return true;
  }
  if (!ops::is_basic(site.op) || site.op == Op::sqrt)
    return false;
  const Record& record = tape.record(index);
  double ea = 0, eb = 0;
  bool quick = true;
  const double a = quick_operand(tape, record.a, ea, quick), b = quick_operand(tape, record.b, eb, quick);
  const double result = record.result.d;
  if (!quick)
    return false;
  double error = 0;
  if (site.op == Op::fadd || site.op == Op::fsub) {
    const bool sum = site.op == Op::fadd;
    error = numeric::sum_error(a, sum ? b : -b, result) + (sum ? ea + eb : ea - eb);
  } else {
    if (!roomy(a) || !roomy(b) || !roomy(result))
      return false;
    error = site.op == Op::fmul ? numeric::product_error(a, b, result) + (a * eb + b * ea + ea * eb)
                                : (std::fma(-result, b, a) + (ea - result * eb)) / (b + eb);
  }
  if (!(std::fabs(error) * 2 < std::fabs(result)) && !(error == 0 && ea == 0 && eb == 0))
    return false;
  slot.error = error;
  slot.state = Slot::small;
  return true;
}

// True if an operand is unknown, or if the function that made it is foreign and had inexact arguments.
bool Residues::is_made_of_unknown(const Tape& tape, uint32_t index) const {
  const Site& site = tape.site(index);
  const bool foreign = site.foreign != 0;
  for (int i = 0; i < (foreign ? site.arguments : ops::arity(site.op)); ++i) {
    const uint32_t operand = tape.operand(index, i);
    if (runtime::is_constant(operand) || operand == 0)
      continue;
    if (!is_known(operand) || (foreign && shadow(tape, operand).error != 0))
      return true;
  }
  return false;
}

void Residues::sweep(const Tape& tape, uint32_t index) {
  const Site& site = tape.site(index);
  const long double result = tape.exact(index);
  const int arity = ops::arity(site.op);
  Slot& slot = slots_[index];
  const bool unknown = !tape.table().foreign.empty() && is_made_of_unknown(tape, index);
  if (arity == 0 || unknown) {
    slot.error = 0;
    slot.state = unknown ? Slot::unknown : Slot::small;
    return;
  }
  Shadow operands[3] = {};
  long double values[3] = {};
  for (int i = 0; i < arity; ++i) {
    const uint32_t operand = tape.operand(index, i);
    values[i] = tape.exact(operand);
    operands[i] = runtime::is_constant(operand) || operand == 0 ? Shadow{values[i], 0} : shadow(tape, operand);
  }
  Shadow found{};
  if (const auto phase = ops::is_periodic(site.op) && phase_is_lost(values[0], operands[0].error)
                             ? phases_.exact(tape, index)
                             : std::nullopt)
    found = {*phase, *phase - result};
  else
    found = shadow_of(site, operands, values, arity, result);
  if (const long double rest = lost_in_cancellation(tape, index, operands, found); rest != 0)
    found = {rest, rest};
  slot.error = double(found.error);
  slot.wide_error = found.error;
  slot.exact = found.exact;
  // A residue that binary64 cannot hold, or that is no longer small, needs its exact value in addition.
  const bool held = found.error == 0 || std::fabs(found.error) >= std::numeric_limits<double>::min();
  const bool small = std::fabs(found.error) * 2 < std::fabs(result) || (found.error == 0 && std::isfinite(result));
  slot.state = small && held && !numeric::is_widest(site.format) ? Slot::small : Slot::grown;
}

EstimatedError estimated_error(const Tape& tape, const std::vector<size_t>& outputs, Residues& residues,
                               const std::vector<Claim>& claims) {
  constexpr long double most = 1e300L;
  residues.read(tape, outputs);
  EstimatedError worst;
  double over_claim = 0;
  for (size_t output : outputs) {
    const exec::OutputValue& value = tape.outputs()[output];
    if (value.record == 0 || !std::isfinite(value.value))
      continue;
    if (!residues.is_known(value.record)) {
      worst.unknown = true;
      continue;
    }
    const Shadow shadow = residues.shadow(tape, value.record);
    const long double error = std::fabs(shadow.error), exact = std::fabs(shadow.exact);
    const Format format = tape.site(value.record).format;
    if (!(error > numeric::smallest_normal(format)) || std::isnan(exact) || error <= numeric::ulp(exact, format))
      continue;
    if (const long double relative = error / exact; relative > worst.relative)
      worst = {double(std::min(relative, most)), double(error), 0, worst.unknown};
    for (const Claim& claim : claims)
      if (const long double times = error / std::fabs(tape.outputs()[claim.bound].value);
          claim.output == output && times > over_claim)
        over_claim = double(std::min(times, most));
  }
  worst.over_claim = over_claim;
  return worst;
}

bool steps(ops::Op op) {
  return (ops::is_comparison(op) && op != ops::Op::cmp_ord && op != ops::Op::cmp_uno) || ops::is_to_int(op) ||
         ops::rounds_to_integer(op);
}

void Residues::read_steps(const Tape& tape, uint32_t last) {
  begin(tape);
  for (uint32_t index = 1; index <= last; ++index)
    needed_[index] = steps(tape.site(index).op);
  sweep_needed(tape, last);
}

bool Residues::doubt_path(const Tape& tape) {
  begin(tape);
  uint32_t last = 0;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (decides(tape.site(index)))
      needed_[last = index] = 1;
  sweep_needed(tape, last);
  for (uint32_t index = 1; index <= last; ++index)
    if (decides(tape.site(index)) && exact_outcome(tape, index) == ExactOutcome::another)
      return true;
  return false;
}

ExactOutcome Residues::exact_outcome(const Tape& tape, uint32_t index) const {
  const ops::Op op = tape.site(index).op;
  long double exact[2] = {};
  bool rounded = false;
  for (int i = 0; i < ops::arity(op); ++i) {
    const uint32_t operand = tape.operand(index, i);
    const Shadow known =
        runtime::is_constant(operand) || operand == 0 ? Shadow{tape.exact(operand), 0} : shadow(tape, operand);
    if (!std::isfinite(known.exact))
      return ExactOutcome::certain;
    exact[i] = known.exact;
    rounded = rounded || known.error != 0;
  }
  if (!rounded)
    return ExactOutcome::certain;
  constexpr long double unknown = 0x1p-62L; // of the operands: x87's last bits
  const bool tie = ops::is_comparison(op) && std::fabs(exact[0] - exact[1]) <= unknown * std::fabs(exact[0]);
  return tie || ops::evaluate80(op, exact[0], exact[1]) != tape.exact(index) ? ExactOutcome::another
                                                                             : ExactOutcome::same;
}

} // namespace faultline::tape
