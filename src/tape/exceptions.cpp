#include "tape/exceptions.h"

#include "ops/table.h"
#include "tape/dependence.h"

#include <cmath>
#include <limits>

namespace faultline::tape {

using numeric::Format;

namespace {

// Does the integer that the conversion is to make exist in its type?
bool fits_integer(const Site& site, long double value) {
  value = ops::evaluate80(site.op, value);
  const long double end = std::ldexp(1.0L, site.integer_bits - (site.integer_signed ? 1 : 0));
  return value < end && value >= (site.integer_signed ? -end : 0.0L);
}

} // namespace

bool may_be_exceptional(const Tape& tape, uint32_t index) {
  const Site& site = tape.site(index);
  if (ops::is_leaf(site.op) || ops::is_comparison(site.op) || site.op == ops::Op::decide)
    return false;
  const Record& record = tape.record(index);
  if (ops::is_to_int(site.op))
    return !fits_integer(site, tape.exact(record.a));
  return numeric::with_type(site.format, [&](auto type) {
    using Float = typename decltype(type)::type;
    const auto magnitude = std::fabs(record.result.as<Float>());
    return !(magnitude >= std::numeric_limits<Float>::min() && magnitude <= std::numeric_limits<Float>::max());
  });
}

ops::Exception exception_of(const Tape& tape, uint32_t index) {
  const Record& record = tape.record(index);
  const Site& site = tape.site(index);
  if (ops::is_to_int(site.op))
    return fits_integer(site, tape.exact(record.a)) ? ops::Exception::none : ops::Exception::invalid;
  const int arity = ops::arity(site.op);
  const long double a = tape.exact(record.a);
  const long double b = arity > 1 ? tape.exact(record.b) : 0;
  const long double c = arity > 2 ? tape.exact(record.c) : 0;
  return ops::exception(site.op, site.format, a, b, c, tape.exact(index));
}

std::vector<bool> used_records(const Tape& tape) {
  std::vector<bool> used(tape.size());
  for (const exec::OutputValue& output : tape.outputs())
    used[output.record] = true;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (const ops::Op op = tape.site(index).op; ops::is_comparison(op) || ops::is_to_int(op))
      used[index] = true;
  mark_operands(tape, used, tape.size() - 1);
  return used;
}

std::vector<ExceptionEvent> exceptions(const Tape& tape) {
  std::vector<ExceptionEvent> events;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (may_be_exceptional(tape, index))
      if (ops::Exception kind = exception_of(tape, index); kind != ops::Exception::none)
        events.push_back({index, kind});
  return events;
}

} // namespace faultline::tape
