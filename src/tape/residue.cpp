#include "tape/residue.h"

#include "numeric/eft.h"
#include "numeric/ulp.h"
#include "ops/table.h"
#include "tape/dependence.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline::tape {

using numeric::Format;
using ops::Op;

namespace {

// Where residues cancel as the operands do, to nothing, what is left of them lies below their own digits; unless the
// operands are two results of the same operation, which are most likely the same number.
long double lost_in_cancellation(const Tape& tape, uint32_t index, const Shadow* operands, const Shadow& found) {
  const Op op = tape.site(index).op;
  if ((op != Op::fadd && op != Op::fsub) || found.error != 0 || tape.exact(index) != 0)
    return 0;
  const uint32_t a = tape.operand(index, 0), b = tape.operand(index, 1);
  if (runtime::is_constant(a) || runtime::is_constant(b) || tape.site(a).op == tape.site(b).op)
    return 0;
  return 0x1p-62L * std::max(std::fabs(operands[0].error), std::fabs(operands[1].error));
}

} // namespace

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
  sweep_needed(tape, last); // what else a run computes (an error bound, another output) is left out
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

// + - * / of binary64 with small residues, by far the most frequent: all in doubles.
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

// An operand is, or the function that made it is foreign and was given something wrong.
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
  // A residue that binary64 cannot hold, or that is no longer small, needs its exact value beside it.
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

} // namespace faultline::tape
