#include "tape/residue.h"

#include "numeric/bigfloat.h"
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

// Where products and their errors neither overflow nor underflow in binary64.
bool roomy(double value) {
  const double magnitude = std::fabs(value);
  return magnitude > 0x1p-900 && magnitude < 0x1p+900;
}

template <typename Float>
long double transformed(Op op, Float a, Float b, Float result) {
  switch (op) {
  case Op::fadd:
    return numeric::sum_error(a, b, result);
  case Op::fsub:
    return numeric::sum_error(a, Float(-b), result);
  case Op::fmul:
    return numeric::product_error(a, b, result);
  case Op::fdiv:
    return numeric::quotient_error(a, b, result);
  default:
    return numeric::sqrt_error(a, result);
  }
}

template <typename Float>
Float carried_out(Op op, Float a, Float b) {
  switch (op) {
  case Op::fadd:
    return a + b;
  case Op::fsub:
    return a - b;
  case Op::fmul:
    return a * b;
  case Op::fdiv:
    return a / b;
  default:
    return std::sqrt(a);
  }
}

// The rounding error of + - * / and sqrt.
long double local_error(Op op, Format format, long double a, long double b, long double result) {
  switch (format) {
  case Format::binary32:
    if (op == Op::fadd || op == Op::fsub) // a term may lie below all of binary64's digits
      return transformed(op, float(a), float(b), float(result));
    return carried_out(op, double(a), double(b)) - double(result);
  case Format::binary64:
    if (op == Op::fadd || op == Op::fsub ||
        (roomy(double(a)) && (op == Op::sqrt || roomy(double(b))) && roomy(double(result))))
      return transformed(op, double(a), double(b), double(result));
    return carried_out(op, a, b) - result;
  default:
    return transformed(op, a, b, result);
  }
}

// The operation on exact operands, when the residue has outgrown the value or there is no rule for it.
Shadow anew(const Site& site, const Shadow* operands, long double result) {
  long double exact = ops::evaluate80(site.op, operands[0].exact, operands[1].exact, operands[2].exact);
  if (site.op == Op::round_add)
    exact = site.format == Format::binary32 ? float(exact) : site.format == Format::binary64 ? double(exact) : exact;
  return {exact, exact - result};
}

bool is_basic(Op op) { return op == Op::fadd || op == Op::fsub || op == Op::fmul || op == Op::fdiv || op == Op::sqrt; }

// Operations that jump: an error of the operand is of no consequence, or of all.
bool jumps(Op op) {
  switch (op) {
  case Op::fmod:
  case Op::remainder:
  case Op::modulo:
  case Op::modf:
  case Op::frexp:
  case Op::logb:
  case Op::round_add:
  case Op::fmin:
  case Op::fmax:
  case Op::fdim:
    return true;
  default:
    return ops::rounds_to_integer(op);
  }
}

// The residue of + - * / sqrt, from those of the operands.
long double basic_error(const Site& site, const Shadow* operands, long double a, long double b, long double result) {
  const long double local = local_error(site.op, site.format, a, b, result);
  const long double ea = operands[0].error, eb = operands[1].error;
  switch (site.op) {
  case Op::fadd:
    return local + (ea + eb);
  case Op::fsub:
    return local + (ea - eb);
  case Op::fmul:
    return ea == 0 && eb == 0 ? local : local + (a * eb + b * ea + ea * eb);
  case Op::fdiv:
    return ea == 0 && eb == 0 ? local : (local * b + ea - result * eb) / (b + eb);
  default: {
    if (ea == 0)
      return local;
    const long double remainder = 2 * local * result + ea;
    return remainder / (result + std::sqrt(std::max(a + ea, 0.0L)));
  }
  }
}

bool is_wave(Op op) { return is_periodic(op) || ops::is_complex_part(op) || (op >= Op::j0 && op <= Op::yn); }

// x87's own functions are the machine's best, so that only more bits tell what they round away.
long double error_in_more_bits(const Site& site, const long double* values, int arity, long double result) {
  constexpr long precision = 128;
  thread_local numeric::BigFloat operands[3] = {numeric::BigFloat(precision), numeric::BigFloat(precision),
                                                numeric::BigFloat(precision)};
  thread_local numeric::BigFloat exact(precision);
  for (int i = 0; i < arity; ++i)
    operands[i].set(values[i]);
  ops::evaluate(site.op, exact.raw(), operands[0].raw(), operands[1].raw(), operands[2].raw());
  mpfr_sub(exact.raw(), exact.raw(), numeric::BigFloat(result, 64).raw(), MPFR_RNDN);
  const long double error = exact.to_long_double();
  return std::isfinite(error) ? error : 0;
}

long double own_error(const Site& site, const long double* values, int arity, long double result) {
  if (site.op == Op::fptrunc)
    return values[0] - result;
  if (site.format == Format::extended80)
    return error_in_more_bits(site, values, arity, result);
  return ops::evaluate80(site.op, values[0], values[1], values[2]) - result;
}

// The residue of any other operation: its own rounding, and the slope or, for large residues, the difference.
long double function_error(const Site& site, const Shadow* operands, const long double* values, int arity,
                           long double result) {
  constexpr long double small = 0x1p-20L;
  const bool oscillates = is_wave(site.op); // no slope goes far there
  const long double local = own_error(site, values, arity, result);
  bool exact = true, linear = true;
  for (int i = 0; i < arity; ++i) {
    exact = exact && operands[i].error == 0;
    const long double reach = oscillates ? std::min(std::fabs(values[i]), 1.0L) : std::fabs(values[i]);
    linear = linear && std::fabs(operands[i].error) <= small * reach;
  }
  if (exact)
    return local;
  if (linear) {
    const auto slopes = ops::partials(site.op, double(values[0]), double(values[1]), double(values[2]), double(result));
    long double sum = local;
    for (int i = 0; i < arity; ++i)
      sum += slopes[size_t(i)] * operands[i].error;
    if (std::fabs(sum) < 0x1p-10L * std::fabs(result))
      return sum;
  }
  return anew(site, operands, result).error;
}

// Of a sum: residues that are small beside the operands reach below the 64 bits in which these could be added anew.
bool knows_more(Op op, const Shadow* operands) {
  constexpr long double finer = 0x1p-11L; // binary64's precision against x87's
  return (op == Op::fadd || op == Op::fsub) &&
         std::max(std::fabs(operands[0].error), std::fabs(operands[1].error)) <=
             finer * std::max(std::fabs(operands[0].exact), std::fabs(operands[1].exact));
}

// One of the operands, with its residue as it is; or, where rounding chose another one, the difference.
Shadow chosen(const Shadow& operand, long double value, long double result) {
  return value == result ? operand : Shadow{operand.exact, operand.exact - result};
}

Shadow shadow_of(const Site& site, const Shadow* operands, const long double* values, int arity, long double result) {
  switch (site.op) {
  case Op::fneg:
    return {-operands[0].exact, -operands[0].error};
  case Op::fpext:
    return operands[0];
  case Op::fabs: {
    const Shadow turned{-operands[0].exact, -operands[0].error};
    return operands[0].exact < 0 ? chosen(turned, -values[0], result) : chosen(operands[0], values[0], result);
  }
  case Op::fmin:
  case Op::fmax:
    if (const long double exact = anew(site, operands, result).exact; exact == operands[0].exact)
      return chosen(operands[0], values[0], result);
    else if (exact == operands[1].exact)
      return chosen(operands[1], values[1], result);
    break;
  default:
    break;
  }
  if (ops::is_decision(site.op))
    return {result, 0};
  if (jumps(site.op) || !std::isfinite(result))
    return anew(site, operands, result);
  const long double error = is_basic(site.op) ? basic_error(site, operands, values[0], values[1], result)
                                              : function_error(site, operands, values, arity, result);
  if (std::fabs(error) * 2 < std::fabs(result) || (error == 0 && result == 0))
    return {result + error, error};
  if (!std::isfinite(error))
    return anew(site, operands, result);
  if (knows_more(site.op, operands))
    return {result + error, error};
  // The exact value is small beside its residue: carried out on its own it keeps its digits.
  const long double exact = anew(site, operands, result).exact;
  return {exact, error};
}

} // namespace

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
  if (site.op != Op::fadd && site.op != Op::fsub && site.op != Op::fmul && site.op != Op::fdiv)
    return false;
  const Record& record = tape.record(index);
  double ea = 0, eb = 0;
  bool quick = true;
  const double a = quick_operand(tape, record.a, ea, quick), b = quick_operand(tape, record.b, eb, quick);
  const double result = record.result.d;
  if (!quick)
    return false;
  double error = 0;
  switch (site.op) {
  case Op::fadd:
    error = numeric::sum_error(a, b, result) + (ea + eb);
    break;
  case Op::fsub:
    error = numeric::sum_error(a, -b, result) + (ea - eb);
    break;
  default: {
    if (!roomy(a) || !roomy(b) || !roomy(result))
      return false;
    const bool product = site.op == Op::fmul;
    error = product ? numeric::product_error(a, b, result) : std::fma(-result, b, a);
    if (product)
      error += a * eb + b * ea + ea * eb;
    else
      error = (error + (ea - result * eb)) / (b + eb);
  }
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
  if (const auto phase = is_periodic(site.op) && phase_is_lost(values[0], operands[0].error)
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
  slot.state = small && held && site.format != Format::extended80 ? Slot::small : Slot::grown;
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
