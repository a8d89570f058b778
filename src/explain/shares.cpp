#include "explain/shares.h"

#include "explain/chain.h"
#include "explain/parts.h"
#include "ops/table.h"

#include <cmath>
#include <map>

namespace faultline::explain {

using numeric::BigFloat;

namespace {

// The part of what passes through an operation that this part of its error is.
BigFloat portion(const BigFloat& passing, const BigFloat& part, const BigFloat& whole) {
  BigFloat result(passing.precision());
  mpfr_div(result.raw(), part.raw(), whole.raw(), MPFR_RNDN);
  mpfr_mul(result.raw(), result.raw(), passing.raw(), MPFR_RNDN);
  return result;
}

void add(std::map<uint32_t, BigFloat>& passing, uint32_t record, const BigFloat& portion) {
  const auto [entry, is_new] = passing.try_emplace(record, portion);
  if (!is_new)
    mpfr_add(entry->second.raw(), entry->second.raw(), portion.raw(), MPFR_RNDN);
}

// All of it to the end of the error path.
std::vector<long double> to_the_origin(const tape::Tape& tape, uint32_t output, const tape::Replay& exact) {
  std::vector<long double> own(tape.size());
  if (const std::vector<Link> links = chain(tape, output, exact); !links.empty())
    own[links.back().record] = 1;
  return own;
}

} // namespace

std::vector<long double> own_shares(const tape::Tape& tape, uint32_t output, const tape::Replay& exact) {
  std::vector<long double> own(tape.size());
  if (output == 0 || output >= tape.size() || error_of(tape, output, exact).is_zero())
    return own;
  std::map<uint32_t, BigFloat> passing; // operands come before their operation: the last is done next
  passing.try_emplace(output, 1.0L, exact.values[output].precision());
  while (!passing.empty()) {
    const auto [index, through] = std::move(*passing.rbegin());
    passing.erase(std::prev(passing.end()));
    const Parts parts = parts_of(tape, index, exact);
    if (through.is_zero() || parts.error.is_zero())
      continue;
    const BigFloat share = portion(through, parts.own, parts.error);
    own[index] = share.to_long_double();
    bool finite = std::isfinite(share.to_double());
    for (int i = 0; i < ops::arity(tape.site(index).op); ++i)
      if (const uint32_t operand = tape.operand(index, i); operand != 0 && !runtime::is_constant(operand)) {
        const BigFloat part = portion(through, parts.operands[size_t(i)], parts.error);
        finite = finite && std::isfinite(part.to_double());
        add(passing, operand, part);
      }
    if (!finite)
      return to_the_origin(tape, output, exact);
  }
  return own;
}

} // namespace faultline::explain
