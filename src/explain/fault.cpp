#include "explain/fault.h"

#include "numeric/bigfloat.h"
#include "numeric/format.h"
#include "ops/table.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace faultline::explain {

using numeric::Value;
using ops::Op;

namespace {

bool is_addition(Op op) { return op == Op::fadd || op == Op::fsub || op == Op::fdim || op == Op::fma; }

int exponent(Value value) { return value == 0 || !std::isfinite(value) ? -20000 : std::ilogb(value); }

int precision_of(const tape::Tape& tape, uint32_t record) { return numeric::info(tape.site(record).format).precision; }

// Returns the two terms of an addition.
std::pair<Value, Value> terms(const tape::Tape& tape, uint32_t record) {
  const tape::Record& at = tape.record(record);
  if (tape.site(record).op == Op::fma)
    return {tape.exact(at.a) * tape.exact(at.b), tape.exact(at.c)};
  return {tape.exact(at.a), tape.exact(at.b)};
}

int cancelled_bits(const tape::Tape& tape, uint32_t record) {
  const auto [a, b] = terms(tape, record);
  const Value result = tape.exact(record);
  const int most = precision_of(tape, record);
  const int lost = result == 0 ? most : std::max(exponent(a), exponent(b)) - exponent(result);
  return std::clamp(lost, 0, most);
}

// True if this addition lost at least half of its smaller term.
bool absorbs(const tape::Tape& tape, uint32_t record, const tape::Replay& exact) {
  if (!is_addition(tape.site(record).op))
    return false;
  const auto [a, b] = terms(tape, record);
  const Value small = std::min(std::fabs(a), std::fabs(b));
  const Value own = std::fabs(parts_of(tape, record, exact).own.to_long_double());
  return small > 0 && own >= small / 2;
}

bool keeps_sums(Op op) { return is_addition(op) || op == Op::fneg || op == Op::fpext || op == Op::fptrunc; }

// Returns the addition at the end of the error path, if it absorbed and only additions follow up to the guilty one.
uint32_t absorber(const tape::Tape& tape, const std::vector<Link>& path, uint32_t guilty, const tape::Replay& exact) {
  const auto from = std::ranges::find(path, guilty, &Link::record);
  const bool sums =
      std::all_of(from, path.end(), [&](const Link& link) { return keeps_sums(tape.site(link.record).op); });
  return sums && absorbs(tape, path.back().record, exact) ? path.back().record : 0;
}

// True if most executions of the guilty place on the error path absorbed.
bool absorbs_again_and_again(const tape::Tape& tape, const std::vector<Link>& path, uint32_t guilty,
                             const tape::Replay& exact) {
  constexpr size_t looked_at = 256;
  size_t all = 0, absorbed = 0;
  for (const Link& link : path)
    if (tape.record(link.record).site == tape.record(guilty).site && all < looked_at) {
      ++all;
      absorbed += absorbs(tape, link.record, exact);
    }
  return 2 * absorbed > all;
}

bool is_out_of_range(const tape::Tape& tape, uint32_t record, const tape::Replay& exact) {
  return !std::isfinite(tape.exact(record)) && exact.values[record].is_finite();
}

// True if the operation itself underflows: its result on these operands leaves the normal range and thereby loses
// digits.
bool underflows(const tape::Tape& tape, uint32_t record, const tape::Replay& exact) {
  const numeric::Format format = tape.site(record).format;
  if (!(std::fabs(tape.exact(record)) < numeric::smallest_normal(format)))
    return false;
  const Parts parts = parts_of(tape, record, exact);
  numeric::BigFloat half = parts.error;
  mpfr_div_2ui(half.raw(), half.raw(), 1, MPFR_RNDN);
  return parts.own.is_finite() && !parts.own.is_zero() && mpfr_cmpabs(parts.own.raw(), half.raw()) >= 0;
}

// Returns by how many bits the results of a place fall from their peak to the last one: a sum that grows and shrinks
// again.
int descent(const tape::Tape& tape, const std::vector<Link>& path, uint32_t guilty) {
  int peak = -20000;
  std::optional<int> last; // the path begins at the output
  for (const Link& link : path) {
    if (!same_place(tape, link.record, guilty) || !is_addition(tape.site(link.record).op))
      continue;
    const auto [a, b] = terms(tape, link.record);
    peak = std::max({peak, exponent(a), exponent(b)});
    if (!last)
      last = exponent(tape.exact(link.record));
  }
  return last ? std::clamp(peak - *last, 0, precision_of(tape, guilty)) : 0;
}

Fault of_a_function(const tape::Tape& tape, uint32_t record) {
  const Op op = tape.site(record).op;
  const double argument = std::fabs(tape.value(tape.record(record).a));
  if (ops::is_periodic(op)) {
    const double condition = ops::conditions(op, argument, 0, 0, std::fabs(tape.value(record)))[0];
    return argument > 1 && condition <= argument * argument ? Fault::large_argument : Fault::sensitive_argument;
  }
  if (ops::has(op, ops::trait::reduces | ops::trait::jumps)) { // remainders
    constexpr double many = 1024; // periods, so that the argument's error is large against one
    const double period = std::fabs(tape.value(tape.record(record).b));
    return argument > many * period ? Fault::large_argument : Fault::branch_flip;
  }
  if (ops::has(op, ops::trait::jumps) && !ops::is_arithmetic(op))
    return Fault::branch_flip;
  constexpr double large = 8;
  const tape::Record& at = tape.record(record);
  const int arity = ops::arity(op);
  const ops::Gradient conditions =
      ops::conditions(op, tape.value(at.a), arity > 1 ? tape.value(at.b) : 0, 0, tape.value(record));
  return *std::ranges::max_element(conditions) > large ? Fault::sensitive_argument : Fault::unclassified;
}

} // namespace

Classification classify(const tape::Tape& tape, const std::vector<Link>& path, const Blame& blame,
                        const tape::Replay& exact) {
  constexpr int few_bits = 2;
  const uint32_t guilty = blame.record;
  if (guilty == 0 || path.empty())
    return {};
  if (is_out_of_range(tape, guilty, exact))
    return {Fault::intermediate_overflow};
  if (underflows(tape, guilty, exact))
    return {Fault::intermediate_underflow};
  const Op op = tape.site(guilty).op;
  const int cancelled = is_addition(op) ? cancelled_bits(tape, guilty) : 0;
  if (blame.executions > 1 && is_addition(op) && cancelled < few_bits) {
    constexpr int many_bits = 4;
    if (const int lost = descent(tape, path, guilty); lost >= many_bits)
      return {Fault::cancellation, lost, 0, true};
  }
  const bool gradual = blame.accumulated || (blame.executions > 1 && blame.amplification < 1 << few_bits);
  if (gradual && cancelled < few_bits) {
    const bool absorbed = is_addition(op) && absorbs_again_and_again(tape, path, guilty, exact);
    return {absorbed ? Fault::absorption : Fault::accumulated_rounding, 0, absorbed ? guilty : 0};
  }
  if (cancelled >= few_bits) {
    const uint32_t lost_at = absorber(tape, path, guilty, exact);
    return {lost_at ? Fault::absorption : Fault::cancellation, cancelled, lost_at};
  }
  if (is_addition(op) && absorbs(tape, guilty, exact))
    return {Fault::absorption, 0, guilty};
  const Fault fault = of_a_function(tape, guilty);
  return {fault == Fault::unclassified && blame.executions > 1 ? Fault::accumulated_rounding : fault};
}

} // namespace faultline::explain
