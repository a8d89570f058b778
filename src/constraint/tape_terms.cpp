#include "constraint/tape_terms.h"

#include "ops/op.h"
#include "ops/purpose.h"
#include "tape/dependence.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::constraint {

using numeric::Format;
using ops::Op;

BinaryFormat format_of(const InputRange& input) {
  return numeric::binary_format(input.floating ? input.values : input.cell);
}

TapeTerms::TapeTerms(const tape::Tape& tape, std::span<const InputRange> inputs, Leaves leaves)
    : tape_(tape), inputs_(inputs), leaves_(leaves), terms_(tape.size()) {
  for (const InputRange& input : inputs)
    variables_.push_back(system().variable(input.name, float_sort(format_of(input))));
  used_.resize(inputs.size());
}

bool TapeTerms::read(std::span<const uint32_t> records, size_t most_terms) {
  if (records.empty())
    return true;
  std::vector<char> needed(tape_.size());
  for (const uint32_t record : records) {
    needed[record] = true;
    if (tape_.site(record).op == Op::decide) // has operands beyond its arity
      for (const uint32_t integer : {tape_.record(record).a, tape_.record(record).b})
        if (!runtime::is_constant(integer) && expressible(integer))
          needed[integer] = true;
  }
  const uint32_t last = *std::max_element(records.begin(), records.end());
  tape::mark_operands(tape_, needed, last);
  for (uint32_t index = 1; index <= last; ++index) {
    if (!needed[index])
      continue;
    if (!ops::is_decision(tape_.site(index).op))
      terms_[index] = term_of(index);
    if (system().size() > most_terms)
      return false;
  }
  return true;
}

bool TapeTerms::read_path_to(std::span<const uint32_t> records, size_t most_terms) {
  const uint32_t last = std::ranges::max(records);
  std::vector<tape::Branch> decisions = tape::path(tape_);
  std::erase_if(decisions, [last](const tape::Branch& decision) { return decision.record >= last; });
  std::vector<uint32_t> needed(records.begin(), records.end());
  for (const tape::Branch& decision : decisions)
    needed.push_back(decision.record);
  if (!read(needed, most_terms))
    return false;
  for (const tape::Branch& decision : decisions)
    if (const auto went = condition(decision, decision.outcome))
      system().assert_true(*went);
  return true;
}

std::optional<Term> TapeTerms::condition(const tape::Branch& decision, int64_t outcome) {
  const tape::Site& site = tape_.site(decision.record);
  const tape::Record& record = tape_.record(decision.record);
  if (site.op == Op::decide)
    return integer_condition(site, record, outcome);
  const Term a = operand(record.a, site.format);
  if (ops::is_comparison(site.op)) {
    const Term holds = system().compare(site.op, a, operand(record.b, site.format));
    return outcome ? holds : system().negate(holds);
  }
  return becomes(a, site, outcome);
}

// Of integers that are inputs, constants, or what the path determines.
std::optional<Term> TapeTerms::integer_condition(const tape::Site& site, const tape::Record& record, int64_t outcome) {
  if (!expressible(record.a) || (site.predicate != "switch" && !expressible(record.b)))
    return std::nullopt;
  const Term a = operand(record.a, Format::binary64);
  if (site.predicate == "switch")
    return one_of_cases(a, site.cases, outcome);
  const Op comparison = site.predicate == "=="   ? Op::cmp_oeq
                        : site.predicate == "!=" ? Op::cmp_une
                        : site.predicate == "<"  ? Op::cmp_olt
                        : site.predicate == "<=" ? Op::cmp_ole
                        : site.predicate == ">"  ? Op::cmp_ogt
                        : site.predicate == ">=" ? Op::cmp_oge
                                                 : Op::none;
  if (comparison == Op::none)
    return std::nullopt;
  const Term holds = system().compare(comparison, a, operand(record.b, Format::binary64));
  return outcome ? holds : system().negate(holds);
}

Term TapeTerms::one_of_cases(Term a, const std::vector<int64_t>& cases, int64_t outcome) {
  const auto is = [&](int64_t value) { return system().compare(Op::cmp_oeq, a, system().constant(double(value))); };
  if (outcome > 0 && size_t(outcome) <= cases.size())
    return is(cases[size_t(outcome) - 1]);
  std::vector<Term> others;
  for (const int64_t value : cases)
    others.push_back(system().negate(is(value)));
  return system().all(others);
}

bool TapeTerms::expressible(uint32_t integer) const {
  if (integer == 0 || runtime::is_constant(integer))
    return integer != 0;
  const tape::Site& site = tape_.site(integer);
  return site.determined || (site.parameter >= 0 && size_t(site.parameter) < inputs_.size());
}

void TapeTerms::restrict_inputs() {
  for (size_t i = 0; i < inputs_.size(); ++i) {
    if (!used_[i])
      continue;
    const BinaryFormat format = format_of(inputs_[i]);
    const Term x = variables_[i];
    system().assert_true(system().compare(Op::cmp_oge, x, number(inputs_[i].low, format)));
    system().assert_true(system().compare(Op::cmp_ole, x, number(inputs_[i].high, format)));
    if (!inputs_[i].floating)
      system().assert_true(system().compare(Op::cmp_oeq, system().operation(Op::roundeven, x), x));
  }
}

Term TapeTerms::number(long double value, BinaryFormat format) {
  return system().constant(numeric::bits_of(value, format), format);
}

Term TapeTerms::operand(uint32_t operand, Format format) {
  const BinaryFormat binary = numeric::binary_format(format);
  if (runtime::is_constant(operand))
    return number(tape_.exact(operand), binary);
  const Term term = operand == 0 ? leaf(0, format) : terms_[operand];
  return system().sort(term).format == binary ? term : system().convert(term, binary);
}

Term TapeTerms::input(size_t which) {
  const InputRange& range = inputs_[which];
  const BinaryFormat cell = numeric::binary_format(range.cell);
  if (range.low == range.high)
    return system().convert(number(range.low, format_of(range)), cell);
  used_[which] = true;
  return system().convert(variables_[which], cell);
}

Term TapeTerms::leaf(uint32_t index, Format format) {
  const BinaryFormat binary = numeric::binary_format(format);
  if (index != 0 && tape_.site(index).determined)
    return number(tape_.exact(index), binary);
  if (const int parameter = index == 0 ? -1 : tape_.site(index).parameter;
      parameter >= 0 && size_t(parameter) < inputs_.size() && !inputs_[parameter].floating)
    return system().convert(input(size_t(parameter)), binary);
  condition_.leaves = true;
  if (leaves_ == Leaves::anything || index == 0)
    return system().variable(fmt::format("leaf{}", index), float_sort(binary));
  return number(tape_.exact(index), binary);
}

Term TapeTerms::term_of(uint32_t index) {
  const tape::Site& site = tape_.site(index);
  if (site.op == Op::input)
    return input(index - 1);
  return ops::is_leaf(site.op) ? leaf(index, site.format) : operation(index);
}

Term TapeTerms::operation(uint32_t index) {
  const tape::Site& site = tape_.site(index);
  const tape::Record& record = tape_.record(index);
  const Term a = operand(record.a, site.operand_format);
  if (site.op == Op::fpext || site.op == Op::fptrunc)
    return system().convert(a, numeric::binary_format(site.format));
  if (site.op == Op::ldexp)
    if (const auto power = power_of_two(record.b, site.format))
      return system().operation(Op::fmul, a, *power);
  const int arity = ops::arity(site.op);
  // Rounding on purpose is an addition, as the machine sees it.
  return system().operation(ops::without_purpose(site.op), a, arity > 1 ? operand(record.b, site.format) : 0,
                            arity > 2 ? operand(record.c, site.format) : 0);
}

// ldexp by a known exponent is a product, if the format has that power.
std::optional<Term> TapeTerms::power_of_two(uint32_t exponent, Format format) {
  const bool known =
      runtime::is_constant(exponent) || (exponent != 0 && ops::is_leaf(tape_.site(exponent).op) &&
                                         (leaves_ == Leaves::as_they_were || tape_.site(exponent).determined));
  const long double power = known ? tape_.exact(exponent) : 1e9L;
  const numeric::FormatInfo info = numeric::info(format);
  if (!known || power > info.max_exponent || power < info.min_exponent)
    return std::nullopt;
  return number(std::ldexp(1.0L, int(power)), numeric::binary_format(format));
}

// a, rounded as the conversion does, is this integer; or, where the machine had none to give, a lies outside.
Term TapeTerms::becomes(Term a, const tape::Site& site, int64_t integer) {
  const Term rounded = system().operation(ops::integer_rounding(ops::rounding_of(site.op)), a);
  const BinaryFormat format = system().sort(a).format;
  const int bits = std::min(site.integer_bits, 64);
  const long double above = site.integer_signed ? std::ldexp(1.0L, bits - 1) : std::ldexp(1.0L, bits);
  const long double below = site.integer_signed ? -above : 0;
  const Term inside = system().both(system().compare(Op::cmp_oge, rounded, number(below, format)),
                                    system().compare(Op::cmp_olt, rounded, number(above, format)));
  const long double value = site.integer_signed ? (long double)integer : (long double)uint64_t(integer);
  const Term equal = system().compare(Op::cmp_oeq, rounded, number(value, format));
  // The lowest integer also stands for "no integer".
  const bool indefinite = value == below && site.integer_signed;
  return indefinite ? system().either(equal, system().negate(inside)) : system().both(equal, inside);
}

} // namespace faultline::constraint
