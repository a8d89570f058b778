#include "tape/exact.h"

#include "ops/table.h"
#include "tape/dependence.h"

namespace faultline::tape {

Exact::Exact(long precision) : precision_(precision), decided_(precision), nothing_(0.0L, 64) {}

// To the recorded value. mpfr_set_ld is slow, and most values are doubles.
void Exact::set(mpfr_ptr value, const Tape& tape, uint32_t index) {
  const Site& site = tape.site(index);
  if (site.format == numeric::Format::extended80 || ops::is_decision(site.op))
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
  for (size_t i = 0; i < count; ++i)
    mpfr_custom_init_set(&values_[i], MPFR_ZERO_KIND, 0, mpfr_prec_t(precision_), &limbs_[i * size]);
}

mpfr_srcptr Exact::operand(const Tape& tape, uint32_t index, int which) const {
  const uint32_t operand = tape.operand(index, which);
  return runtime::is_constant(operand) ? constants_[operand & ~runtime::constant_flag].raw() : &values_[operand];
}

bool Exact::decides_otherwise(const Tape& tape, uint32_t index, mpfr_srcptr a, mpfr_srcptr b) {
  ops::evaluate(tape.site(index).op, decided_.raw(), a, b, nothing_.raw());
  return mpfr_number_p(decided_.raw()) && mpfr_cmp_si(decided_.raw(), long(tape.record(index).result.bits)) != 0;
}

void Exact::read(const Tape& tape, const std::vector<size_t>& outputs) {
  reserve(tape);
  flips_ = false;
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
    if (!needed_[index])
      continue;
    const Site& site = tape.site(index);
    const int arity = ops::arity(site.op);
    mpfr_ptr value = &values_[index];
    if (arity == 0) {
      set(value, tape, index);
      continue;
    }
    mpfr_srcptr a = operand(tape, index, 0);
    mpfr_srcptr b = arity > 1 ? operand(tape, index, 1) : nothing_.raw();
    if (decides(site.op)) {
      flips_ = flips_ || decides_otherwise(tape, index, a, b);
      set(value, tape, index); // the path is the run's
      continue;
    }
    ops::evaluate(site.op, value, a, b, arity > 2 ? operand(tape, index, 2) : nothing_.raw());
    if (site.op == ops::Op::round_add)
      numeric::round_to(value, site.format);
  }
}

const std::vector<double>& Exact::rounded(const Tape& tape) {
  rounded_.resize(tape.size());
  for (uint32_t index = 1; index < tape.size(); ++index)
    rounded_[index] = needed_[index] ? mpfr_get_d(&values_[index], MPFR_RNDN) : tape.value(index);
  return rounded_;
}

} // namespace faultline::tape
