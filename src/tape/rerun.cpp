#include "tape/rerun.h"

#include "ops/table.h"

namespace faultline::tape {

using numeric::Format;
using ops::Op;

namespace {

long double in_format(long double value, Format format) {
  return format == Format::binary32 ? float(value) : format == Format::binary64 ? double(value) : value;
}

} // namespace

long double evaluate(Op op, Format format, long double a, long double b, long double c) {
  if (op == Op::fpext || op == Op::fptrunc)
    return in_format(a, format);
  switch (format) {
  case Format::binary32:
    return ops::evaluate32(op, float(a), float(b), float(c));
  case Format::binary64:
    return ops::evaluate(op, double(a), double(b), double(c));
  default:
    return ops::evaluate80(op, a, b, c);
  }
}

Rerun rerun(const Tape& tape, const Replacement& replacement) {
  Rerun run;
  run.values.resize(tape.size());
  auto value = [&](uint32_t operand) {
    return runtime::is_constant(operand) ? tape.exact(operand) : run.values[operand];
  };
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const Site& site = tape.site(index);
    const int arity = ops::arity(site.op);
    run.values[index] = tape.exact(index);
    if (arity == 0)
      continue;
    const Record& record = tape.record(index);
    const long double a = value(record.a), b = arity > 1 ? value(record.b) : 0, c = arity > 2 ? value(record.c) : 0;
    if (ops::is_decision(site.op)) {
      run.flips |= ops::evaluate80(site.op, a, b, c) != tape.exact(index);
      continue;
    }
    if (const auto replaced = replacement(index, run.values)) {
      run.values[index] = in_format(*replaced, site.format);
      ++run.replaced;
    } else {
      run.values[index] = evaluate(site.op, site.format, a, b, c);
    }
  }
  return run;
}

} // namespace faultline::tape
