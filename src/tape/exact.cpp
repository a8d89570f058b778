#include "tape/exact.h"

#include "base/clock.h"
#include "ops/table.h"
#include "tape/dependence.h"

namespace faultline::tape {

Exact::Exact(long precision) : precision_(precision), decided_(precision), nothing_(0.0L, 64) {}

// To the recorded value. mpfr_set_ld is slow, and most values are doubles.
void Exact::set(mpfr_ptr value, const Tape& tape, uint32_t index) {
  const Site& site = tape.site(index);
  if (numeric::is_widest(site.format) || ops::is_decision(site.op))
    mpfr_set_ld(value, tape.exact(index), MPFR_RNDN);
  else
    mpfr_set_d(value, tape.value(index), MPFR_RNDN);
}

// Room for one number a record. Limbs are kept in one block, which moves when it grows.
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

// The path is the run's, whatever exact arithmetic would decide.
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
  if (ops::rounds_on_purpose(site.op))
    numeric::round_to(value, site.format);
}

void Exact::read(const Tape& tape, const std::vector<size_t>& outputs) {
  reserve(tape);
  constexpr uint64_t series = 50;
  constexpr uint32_t fuse_every = 128; // records, as in tape/replay.cpp
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
    if (index % fuse_every == 0)
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

} // namespace faultline::tape
