#include "tape/rerun.h"

#include "ops/table.h"

#include <cmath>

namespace faultline::tape {

using numeric::Format;
using ops::Op;

long double evaluate(Op op, Format format, long double a, long double b, long double c) {
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
    const long double recorded = run.values[index] = tape.exact(index);
    if (arity == 0)
      continue;
    const std::optional<long double> replaced =
        ops::is_decision(site.op) ? std::nullopt : replacement(index, run.values);
    bool follows = false;
    for (int i = 0; i < arity; ++i)
      follows = follows || differs_from_run(tape.operand(index, i));
    if (!replaced && !follows)
      continue;
    const Record& record = tape.record(index);
    const long double a = value(record.a), b = arity > 1 ? value(record.b) : 0, c = arity > 2 ? value(record.c) : 0;
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

} // namespace faultline::tape
