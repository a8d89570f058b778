#include "tape/replay.h"

#include "base/clock.h"
#include "ops/table.h"
#include "tape/adjoint.h"
#include "tape/path.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace faultline::tape {

using numeric::Format;
using numeric::Value;
using ops::Op;

Value evaluate(Op op, Format format, Value a, Value b, Value c) {
  return op == Op::fpext || op == Op::fptrunc ? numeric::nearest(a, format) : ops::evaluate(op, format, a, b, c);
}

Rerun rerun(const Tape& tape, const Replacement& replacement) {
  Rerun run;
  run.values.resize(tape.size());
  std::vector<uint8_t> differs(tape.size());
  auto value = [&](uint32_t operand) {
    return runtime::is_constant(operand) ? tape.exact(operand) : run.values[operand];
  };
  auto differs_from_run = [&](uint32_t operand) { return !runtime::is_constant(operand) && differs[operand]; };
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const Site& site = tape.site(index);
    const int arity = ops::arity(site.op);
    const Value recorded = run.values[index] = tape.exact(index);
    if (arity == 0)
      continue;
    const std::optional<Value> replaced = ops::is_decision(site.op) ? std::nullopt : replacement(index, run.values);
    bool follows = false;
    for (int i = 0; i < arity; ++i)
      follows = follows || differs_from_run(tape.operand(index, i));
    if (!replaced && !follows)
      continue;
    const Record& record = tape.record(index);
    const Value a = value(record.a), b = arity > 1 ? value(record.b) : 0, c = arity > 2 ? value(record.c) : 0;
    if (ops::is_decision(site.op)) {
      run.flips |= ops::evaluate80(site.op, a, b, c) != recorded;
      continue;
    }
    run.values[index] =
        replaced ? numeric::nearest(*replaced, site.format) : tape::evaluate(site.op, site.format, a, b, c);
    run.replaced += replaced.has_value();
    const bool both_nan = std::isnan(run.values[index]) && std::isnan(recorded);
    differs[index] = run.values[index] != recorded && !both_nan;
  }
  return run;
}

namespace {

using Errors = std::map<uint32_t, double>; // by record, in the order of execution

bool is_computed(const Tape& tape, uint32_t operand) {
  return operand != 0 && !runtime::is_constant(operand) && !ops::is_leaf(tape.site(operand).op);
}

// Collects the record and all that it depends on. False if that is too much.
bool collect(const Tape& tape, uint32_t record, size_t most, Errors& errors) {
  if (!is_computed(tape, record) || !errors.emplace(record, 0).second)
    return true;
  if (errors.size() > most)
    return false;
  const int arity = ops::arity(tape.site(record).op);
  for (int i = 0; i < arity; ++i)
    if (!collect(tape, tape.operand(record, i), most, errors))
      return false;
  return true;
}

} // namespace

bool deviates(const Tape& tape, uint32_t record, size_t most) {
  Errors errors;
  if (!collect(tape, record, most, errors))
    return true;
  for (auto& [index, error] : errors) {
    error = rounding(tape, index);
    const int arity = ops::arity(tape.site(index).op);
    const Record& at = tape.record(index);
    const auto partials = ops::partials(tape.site(index).op, tape.value(at.a), arity > 1 ? tape.value(at.b) : 0,
                                        arity > 2 ? tape.value(at.c) : 0, tape.value(index));
    for (int i = 0; i < arity; ++i)
      if (const auto operand = errors.find(tape.operand(index, i)); operand != errors.end() && operand->second != 0)
        error += partials[size_t(i)] * operand->second;
  }
  return !errors.empty() && errors.at(record) != 0;
}

Exact::Exact(long precision) : precision_(precision), decided_(precision), nothing_(0.0L, 64) {}

// Sets to the recorded value. mpfr_set_ld is slow, and most values are doubles.
void Exact::set(mpfr_ptr value, const Tape& tape, uint32_t index) {
  const Site& site = tape.site(index);
  if (numeric::is_widest(site.format) || ops::is_decision(site.op))
    mpfr_set_ld(value, tape.exact(index), MPFR_RNDN);
  else
    mpfr_set_d(value, tape.value(index), MPFR_RNDN);
}

// Reserves one number per record. Limbs are in one block, which moves when it grows.
void Exact::reserve(const Tape& tape) {
  for (size_t i = constants_.size(); i < tape.table().constants.size(); ++i)
    constants_.emplace_back(tape.table().constants[i].value, precision_);
  if (values_.size() >= tape.size())
    return;
  const size_t count = size_t(tape.size()) * 2,
               size = mpfr_custom_get_size(mpfr_prec_t(precision_)) / sizeof(mp_limb_t);
  limbs_.assign(count * size, 0);
  values_.resize(count);
  errors_.assign(count, ops::no_error);
  for (size_t i = 0; i < count; ++i)
    mpfr_custom_init_set(&values_[i], MPFR_ZERO_KIND, 0, mpfr_prec_t(precision_), &limbs_[i * size]);
}

ops::Operand Exact::operand(const Tape& tape, uint32_t index, int which) const {
  const uint32_t operand = tape.operand(index, which);
  if (runtime::is_constant(operand))
    return {constants_[operand & ~runtime::constant_flag].raw(), ops::no_error};
  return {&values_[operand], errors_[operand]};
}

// Keeps the run's path, even where exact arithmetic would decide differently.
void Exact::decide(const Tape& tape, uint32_t index) {
  const ops::Op op = tape.site(index).op;
  const ops::Operand a = operand(tape, index, 0);
  const ops::Operand b = ops::arity(op) > 1 ? operand(tape, index, 1) : ops::Operand{nothing_.raw(), ops::no_error};
  ops::evaluate(op, decided_.raw(), a.value, b.value, nothing_.raw());
  flips_ = flips_ ||
           (mpfr_number_p(decided_.raw()) && mpfr_cmp_si(decided_.raw(), long(tape.record(index).result.bits)) != 0);
  if (const ops::ErrorExponent error = std::max(a.error, b.error); error > ops::no_error / 2 && !doubtful_) {
    mpfr_sub(decided_.raw(), a.value, b.value, MPFR_RNDN);
    doubtful_ = mpfr_zero_p(decided_.raw()) || (mpfr_number_p(decided_.raw()) && mpfr_get_exp(decided_.raw()) <= error);
  }
  set(&values_[index], tape, index);
}

void Exact::evaluate(const Tape& tape, uint32_t index) {
  const Site& site = tape.site(index);
  const auto arity = size_t(ops::arity(site.op));
  mpfr_ptr value = &values_[index];
  errors_[index] = ops::no_error;
  if (arity == 0) {
    set(value, tape, index);
    return;
  }
  ops::Operand operands[3];
  for (size_t i = 0; i < 3; ++i)
    operands[i] = i < arity ? operand(tape, index, int(i)) : ops::Operand{nothing_.raw(), ops::no_error};
  mpfr_clear_inexflag();
  ops::evaluate(site.op, value, operands[0].value, operands[1].value, operands[2].value);
  errors_[index] = ops::error_exponent(site.op, value, mpfr_inexflag_p() != 0, std::span(operands, arity));
  const auto is_huge = [&](int which) {
    const uint32_t operand = tape.operand(index, which);
    const bool given =
        runtime::is_constant(operand) || (operand > tape.inputs() && ops::is_leaf(tape.site(operand).op));
    return given && runtime::is_huge(tape.exact(operand), site.format);
  };
  if (site.passed_on && mpfr_number_p(value) != 0 && std::isinf(numeric::rounded(value, site.format)) &&
      (is_huge(0) || is_huge(1))) {
    mpfr_set_inf(value, mpfr_sgn(value));
    errors_[index] = ops::no_error;
  }
  if (ops::rounds_on_purpose(site.op))
    numeric::round_to(value, site.format);
}

void Exact::read(const Tape& tape, const std::vector<size_t>& outputs) {
  reserve(tape);
  constexpr uint64_t series = 50;
  constexpr uint32_t records_per_check = 128; // records, as below
  flips_ = doubtful_ = false;
  work_ = tape.size();
  needed_.assign(tape.size(), 0);
  for (size_t output : outputs)
    if (const uint32_t record = tape.outputs()[output].record)
      needed_[record] = 1;
  auto decides = [](ops::Op op) { return ops::is_comparison(op) || ops::is_to_int(op); };
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (decides(tape.site(index).op))
      needed_[index] = 1;
  mark_operands(tape, needed_, tape.size() - 1);
  for (uint32_t index = 1; index < tape.size(); ++index) {
    if (index % records_per_check == 0)
      base::TimeLimit::check();
    if (!needed_[index])
      continue;
    const ops::Op op = tape.site(index).op;
    decides(op) ? decide(tape, index) : evaluate(tape, index);
    work_ += ops::is_transcendental(op) ? series : 0;
  }
}

const std::vector<double>& Exact::rounded(const Tape& tape) {
  rounded_.resize(tape.size());
  for (uint32_t index = 1; index < tape.size(); ++index)
    rounded_[index] = needed_[index] ? mpfr_get_d(&values_[index], MPFR_RNDN) : tape.value(index);
  return rounded_;
}

namespace {

constexpr uint32_t records_per_check = 128; // records: some 0.1 ms of additions, 20 ms of logarithms with many bits

// True if the recorded value is one of the two neighbours of the exact value, or nearly. `exact` is not rounded yet: a
// sum, or the operand of a rounding to an integer.
bool is_at_border(const Tape& tape, uint32_t index, mpfr_srcptr exact) {
  constexpr Value nearly = 1 + 0x1p-10L; // units: right to a thousandth before it was rounded
  const Site& site = tape.site(index);
  const Value recorded = tape.exact(index);
  const Value unit = ops::rounds_on_purpose(site.op) ? numeric::ulp(recorded, site.format) : 1;
  numeric::BigFloat distance(64);
  mpfr_set_ld(distance.raw(), recorded, MPFR_RNDN);
  mpfr_sub(distance.raw(), distance.raw(), exact, MPFR_RNDN);
  return std::fabs(distance.to_double()) <= double(nearly * unit);
}

// True if the run's decision is acceptable although exact arithmetic decides differently.
bool is_acceptable(const Tape& tape, uint32_t index, std::span<const ops::Operand> operands) {
  if (!ops::is_comparison(tape.site(index).op))
    return is_at_border(tape, index, operands[0].value);
  const bool first = runtime::is_constant(tape.operand(index, 0));
  return equals_intended_number(tape, index, operands[first ? 1 : 0].value);
}

} // namespace

Replay replay(const Tape& tape, long precision, std::span<const Value> inputs, std::span<const Keep> keep) {
  Replay replay;
  replay.values.reserve(tape.size());
  std::vector<std::optional<numeric::BigFloat>> constants(tape.table().constants.size()); // created on demand
  auto shadow = [&](uint32_t operand) -> mpfr_srcptr {
    if (!runtime::is_constant(operand))
      return replay.values[operand].raw();
    const size_t number = operand & ~runtime::constant_flag;
    if (!constants[number])
      constants[number].emplace(tape.table().constants[number].value, precision);
    return constants[number]->raw();
  };
  replay.values.emplace_back(0.0L, 2);
  replay.errors.assign(tape.size(), ops::no_error);
  numeric::BigFloat decided(precision);
  for (uint32_t index = 1; index < tape.size(); ++index) {
    if (index % records_per_check == 0)
      base::TimeLimit::check();
    const Site& site = tape.site(index);
    const auto arity = size_t(ops::arity(site.op));
    if (arity == 0) {
      replay.values.emplace_back(index <= inputs.size() ? inputs[index - 1] : tape.exact(index), precision);
      continue;
    }
    ops::Operand operands[3];
    for (size_t i = 0; i < arity; ++i) {
      const uint32_t operand = tape.operand(index, int(i));
      operands[i] = {shadow(operand), runtime::is_constant(operand) ? ops::no_error : replay.errors[operand]};
    }
    const Keep kept = keep.empty() ? Keep::nothing : keep[index];
    if (ops::is_comparison(site.op) || ops::is_to_int(site.op)) {
      ops::evaluate(site.op, decided.raw(), operands[0].value, operands[1].value, operands[2].value);
      const bool same = mpfr_cmp_ld(decided.raw(), tape.exact(index)) == 0 ||
                        (kept == Keep::choice && is_acceptable(tape, index, std::span(operands, arity)));
      if (!same && mpfr_number_p(decided.raw())) {
        replay.flips.push_back(index);
        replay.decided.push_back(mpfr_get_sj(decided.raw(), MPFR_RNDZ));
      }
      replay.values.emplace_back(tape.exact(index), 64); // the path is the run's
      continue;
    }
    numeric::BigFloat value(precision);
    mpfr_clear_inexflag();
    ops::evaluate(site.op, value.raw(), operands[0].value, operands[1].value, operands[2].value);
    const bool inexact = mpfr_inexflag_p() != 0;
    replay.errors[index] = ops::error_exponent(site.op, value.raw(), inexact, std::span(operands, arity));
    if (kept == Keep::choice &&
        is_at_border(tape, index, ops::rounds_on_purpose(site.op) ? value.raw() : operands[0].value))
      value = numeric::BigFloat(tape.exact(index), precision);
    else if (kept == Keep::rounding || ops::rounds_on_purpose(site.op))
      value.round_to(site.format);
    replay.values.push_back(std::move(value));
  }
  return replay;
}

std::vector<double> rounded(const Replay& replay) {
  std::vector<double> values;
  values.reserve(replay.values.size());
  for (const numeric::BigFloat& value : replay.values)
    values.push_back(value.to_double());
  return values;
}

} // namespace faultline::tape
