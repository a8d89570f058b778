#include "explain/summation.h"

#include "numeric/eft.h"
#include "ops/op.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace faultline::explain {

using ops::Op;

namespace {

bool is_addition(Op op) { return op == Op::fadd || op == Op::fsub; }

// The sum of the terms, and the sum of the errors of the additions.
template <typename Float> struct CompensatedSum {
  Float sum = 0, lost = 0;

  void add(Float term) {
    const Float next = sum + term;
    lost += Float(numeric::sum_error(sum, term, next));
    sum = next;
  }
  void add_product(Float a, Float b) {
    const Float product = a * b;
    lost += std::fma(a, b, -product);
    add(product);
  }
};

} // namespace

Summation::Summation(const tape::Tape& tape, uint32_t addition)
    : tape_(tape), site_(tape.site(addition)), continued_(tape.size()) {
  if (!is_addition(site_.op))
    return;
  std::vector<uint32_t> length(tape.size());
  std::set<int> columns;
  for (uint32_t index = 1; index < tape.size(); ++index) {
    if (!is_here(index))
      continue;
    in_a_loop_ |= !columns.insert(tape.site(index).column).second;
    const uint32_t before = carried(index);
    length[index] = before ? length[before] + 1 : 2;
    if (before)
      continued_[before] = true;
    longest_ = std::max<size_t>(longest_, length[index]);
    for (const uint32_t operand : {tape.record(index).a, tape.record(index).b})
      of_products_ |= !runtime::is_constant(operand) && operand != before && tape.site(operand).op == Op::fmul;
  }
}

bool Summation::is_here(uint32_t operand) const {
  if (runtime::is_constant(operand) || operand == 0)
    return false;
  const tape::Site& site = tape_.site(operand);
  return is_addition(site.op) && site.line == site_.line && site.file == site_.file && site.format == site_.format;
}

uint32_t Summation::carried(uint32_t record) const {
  const tape::Record& at = tape_.record(record);
  return is_here(at.a) ? at.a : is_here(at.b) && tape_.site(record).op == Op::fadd ? at.b : 0;
}

std::optional<numeric::Value> Summation::compensated(uint32_t record, std::span<const numeric::Value> values) const {
  if (!is_here(record) || continued_[record] || carried(record) == 0)
    return std::nullopt;
  std::vector<uint32_t> additions;
  for (uint32_t at = record; at != 0; at = carried(at))
    additions.push_back(at);
  auto value = [&](uint32_t operand) { return runtime::is_constant(operand) ? tape_.exact(operand) : values[operand]; };
  auto sum = [&](auto zero) -> numeric::Value {
    using Float = decltype(zero);
    CompensatedSum<Float> result;
    auto add = [&](uint32_t operand, bool negative) {
      if (!runtime::is_constant(operand) && tape_.site(operand).op == Op::fmul) {
        const auto a = Float(value(tape_.record(operand).a)), b = Float(value(tape_.record(operand).b));
        result.add_product(negative ? -a : a, b);
      } else {
        result.add(negative ? -Float(value(operand)) : Float(value(operand)));
      }
    };
    for (size_t i = additions.size(); i-- > 0;) {
      const tape::Record& at = tape_.record(additions[i]);
      const uint32_t before = carried(additions[i]);
      const bool subtracts = tape_.site(additions[i]).op == Op::fsub;
      if (before != at.a)
        add(at.a, false);
      if (before != at.b || before == at.a)
        add(at.b, subtracts);
    }
    return result.sum + result.lost;
  };
  switch (numeric::carrier(site_.format)) {
  case numeric::Format::binary32:
    return sum(0.0f);
  case numeric::Format::binary64:
    return sum(0.0);
  default:
    return sum(0.0L);
  }
}

} // namespace faultline::explain
