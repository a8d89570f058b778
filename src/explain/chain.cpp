#include "explain/chain.h"

#include "explain/cause.h"
#include "numeric/bigfloat.h"
#include "numeric/format.h"
#include "ops/table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace faultline::explain {
namespace {

double relative(const tape::Tape& tape, uint32_t index, const tape::Replay& exact) {
  const double error = numeric::relative_error(tape.exact(index), exact.values[index]);
  return std::isnan(error) && std::isnan(tape.exact(index)) ? INFINITY : error;
}

// True for an infinity or NaN where the exact value is finite.
bool is_infinite(const tape::Tape& tape, uint32_t index, const tape::Replay& exact) {
  return !std::isfinite(tape.exact(index)) && exact.values[index].is_finite();
}

// Returns the lost fraction of the value.
double loss(const tape::Tape& tape, uint32_t index, const tape::Replay& exact) {
  if (is_infinite(tape, index, exact))
    return 2; // worse than a total loss
  const numeric::BigFloat& value = exact.values[index];
  const numeric::BigFloat recorded(tape.exact(index), 64);
  numeric::BigFloat error = error_of(tape, index, exact);
  const bool larger = mpfr_cmpabs(recorded.raw(), value.raw()) > 0;
  mpfr_div(error.raw(), error.raw(), larger ? recorded.raw() : value.raw(), MPFR_RNDN);
  const double part = std::fabs(error.to_double());
  return std::isnan(part) ? 0 : part;
}

double half_ulp(const tape::Tape& tape, uint32_t index) {
  return std::ldexp(1.0, -numeric::info(tape.site(index).format).precision);
}

// The operand on the error path, 0 if the path ends here, and its part of the error.
struct NextLink {
  uint32_t record = 0;
  double part = 1;
};

bool is_pole(const tape::Tape& tape, uint32_t index) {
  const int arity = ops::arity(tape.site(index).op);
  std::array<numeric::BigFloat, 3> operands;
  for (int i = 0; i < arity; ++i)
    operands[size_t(i)] = numeric::BigFloat(tape.exact(tape.operand(index, i)), 64);
  numeric::BigFloat result(64);
  ops::evaluate(tape.site(index).op, result.raw(), operands[0].raw(), operands[1].raw(), operands[2].raw());
  return !result.is_finite();
}

uint32_t most_wrong_operand(const tape::Tape& tape, uint32_t index, const tape::Replay& exact) {
  uint32_t wrong = 0;
  double largest = 0;
  for (int i = 0; i < ops::arity(tape.site(index).op); ++i)
    if (const uint32_t operand = tape.operand(index, i); !runtime::is_constant(operand))
      if (const double error = relative(tape, operand, exact); error > largest) {
        largest = error;
        wrong = operand;
      }
  return wrong;
}

std::optional<NextLink> infinite_operand(const tape::Tape& tape, uint32_t index, const tape::Replay& exact) {
  for (int i = 0; i < ops::arity(tape.site(index).op); ++i)
    if (const uint32_t operand = tape.operand(index, i);
        !runtime::is_constant(operand) && is_infinite(tape, operand, exact))
      return NextLink{operand, 1};
  if (!is_infinite(tape, index, exact))
    return std::nullopt;
  // The operation is the origin if only the range is too small for the result; otherwise its operand leads to a pole.
  return NextLink{is_pole(tape, index) ? most_wrong_operand(tape, index, exact) : 0, 1};
}

NextLink next_link(const tape::Tape& tape, uint32_t index, const tape::Replay& exact) {
  if (const auto infinite = infinite_operand(tape, index, exact))
    return *infinite;
  Parts parts = parts_of(tape, index, exact);
  NextLink next;
  numeric::BigFloat* largest = nullptr;
  for (int i = 0; i < ops::arity(tape.site(index).op); ++i) {
    const uint32_t operand = tape.operand(index, i);
    numeric::BigFloat& part = parts.operands[size_t(i)];
    if (runtime::is_constant(operand) || part.is_nan())
      continue;
    for (int j = 0; j < i; ++j) // the same operand twice: x * x
      if (tape.operand(index, j) == operand)
        mpfr_add(part.raw(), part.raw(), parts.operands[size_t(j)].raw(), MPFR_RNDN);
    if (!part.is_zero() && (!largest || mpfr_cmpabs(part.raw(), largest->raw()) >= 0)) {
      largest = &part;
      next.record = operand;
    }
  }
  if (!largest || (parts.own.is_finite() && mpfr_cmpabs(parts.own.raw(), largest->raw()) >= 0))
    return {};
  mpfr_div(largest->raw(), largest->raw(), parts.error.raw(), MPFR_RNDN);
  next.part = largest->is_finite() ? std::fabs(largest->to_double()) : 1;
  return next;
}

} // namespace

std::vector<Link> chain(const tape::Tape& tape, uint32_t output, const tape::Replay& exact) {
  std::vector<Link> links;
  double share = 1;
  for (uint32_t record = output; record != 0 && record < tape.size();) {
    const double error = relative(tape, record, exact);
    if (!(error > 0))
      break;
    const NextLink next = next_link(tape, record, exact);
    // At a pole the operand is at fault: nothing is lost here.
    const bool given = next.record != 0 && is_infinite(tape, record, exact);
    const double before = std::max(half_ulp(tape, record), next.record ? loss(tape, next.record, exact) : 0);
    const double growth = given ? 0 : std::log2(loss(tape, record, exact) / before);
    links.push_back({record, error, growth, share});
    share = std::min(1.0, share * next.part);
    record = next.record;
  }
  return links;
}

} // namespace faultline::explain
