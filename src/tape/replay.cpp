#include "tape/replay.h"

#include "ops/table.h"

namespace faultline::tape {

Replay replay(const Tape& tape, long precision) {
  Replay replay;
  replay.values.reserve(tape.size());
  std::vector<numeric::BigFloat> constants;
  for (const runtime::Constant& constant : tape.table().constants)
    constants.emplace_back(constant.value, precision);
  auto shadow = [&](uint32_t operand) -> mpfr_srcptr {
    return runtime::is_constant(operand) ? constants[operand & ~runtime::constant_flag].raw() : replay.values[operand].raw();
  };
  replay.values.emplace_back(0.0L, 2);
  numeric::BigFloat decided(precision);
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const Record& record = tape.record(index);
    const Site& site = tape.site(index);
    const int arity = ops::arity(site.op);
    if (arity == 0) {
      replay.values.emplace_back(tape.exact(index), precision);
      continue;
    }
    mpfr_srcptr a = shadow(record.a);
    mpfr_srcptr b = arity > 1 ? shadow(record.b) : nullptr;
    mpfr_srcptr c = arity > 2 ? shadow(record.c) : nullptr;
    if (ops::is_comparison(site.op) || ops::is_to_int(site.op)) {
      ops::evaluate(site.op, decided.raw(), a, b, c);
      if (mpfr_cmp_ld(decided.raw(), tape.exact(index)) != 0 && mpfr_number_p(decided.raw()))
        replay.flips.push_back(index);
      replay.values.emplace_back(tape.exact(index), 64); // the path is the run's
      continue;
    }
    numeric::BigFloat value(precision);
    ops::evaluate(site.op, value.raw(), a, b, c);
    if (site.op == ops::Op::round_add)
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
