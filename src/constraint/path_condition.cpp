#include "constraint/path_condition.h"

#include "ops/op.h"
#include "tape/dependence.h"

#include <cmath>
#include <fmt/format.h>

namespace faultline::constraint {

using numeric::Format;
using ops::Op;

namespace {

BinaryFormat format_of(const InputRange& input) {
  return numeric::binary_format(input.floating ? input.values : input.cell);
}

class Reading {
public:
  Reading(const tape::Tape& tape, std::span<const InputRange> inputs, Leaves leaves)
      : tape_(tape), inputs_(inputs), leaves_(leaves), terms_(tape.size()) {
    for (const InputRange& input : inputs)
      variables_.push_back(condition_.system.variable(input.name, float_sort(format_of(input))));
    used_.resize(inputs.size());
  }

  // Every record that the decisions depend on becomes a term.
  bool read(std::span<const tape::Branch> decisions, size_t most_terms) {
    std::vector<char> needed(tape_.size());
    for (const tape::Branch& decision : decisions) {
      needed[decision.record] = true;
      if (tape_.site(decision.record).op == Op::decide) // has operands beyond its arity
        for (const uint32_t integer : {tape_.record(decision.record).a, tape_.record(decision.record).b})
          if (!runtime::is_constant(integer) && expressible(integer))
            needed[integer] = true;
    }
    tape::mark_operands(tape_, needed, decisions.back().record);
    for (uint32_t index = 1; index <= decisions.back().record; ++index) {
      if (!needed[index])
        continue;
      const Op op = tape_.site(index).op;
      if (!ops::is_decision(op))
        terms_[index] = term_of(index);
      if (condition_.system.size() > most_terms)
        return false;
    }
    return true;
  }

  // Nothing if it is an integer condition that cannot be expressed.
  std::optional<Term> condition(const tape::Branch& decision, int64_t outcome) {
    const tape::Site& site = tape_.site(decision.record);
    const tape::Record& record = tape_.record(decision.record);
    System& system = condition_.system;
    if (site.op == Op::decide)
      return integer_condition(site, record, outcome);
    const Term a = operand(record.a, site.format);
    if (ops::is_comparison(site.op)) {
      const Term holds = system.compare(site.op, a, operand(record.b, site.format));
      return outcome ? holds : system.negate(holds);
    }
    return becomes(a, site, outcome);
  }

  // Of integers that are inputs, constants, or what the path determines.
  std::optional<Term> integer_condition(const tape::Site& site, const tape::Record& record, int64_t outcome) {
    System& system = condition_.system;
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
    const Term holds = system.compare(comparison, a, operand(record.b, Format::binary64));
    return outcome ? holds : system.negate(holds);
  }

  Term one_of_cases(Term a, const std::vector<int64_t>& cases, int64_t outcome) {
    System& system = condition_.system;
    const auto is = [&](int64_t value) { return system.compare(Op::cmp_oeq, a, system.constant(double(value))); };
    if (outcome > 0 && size_t(outcome) <= cases.size())
      return is(cases[size_t(outcome) - 1]);
    std::vector<Term> others;
    for (const int64_t value : cases)
      others.push_back(system.negate(is(value)));
    return system.all(others);
  }

  bool expressible(uint32_t integer) const {
    if (integer == 0 || runtime::is_constant(integer))
      return integer != 0;
    const tape::Site& site = tape_.site(integer);
    return site.determined || (site.parameter >= 0 && size_t(site.parameter) < inputs_.size());
  }

  void restrict_inputs() {
    System& system = condition_.system;
    for (size_t i = 0; i < inputs_.size(); ++i) {
      if (!used_[i])
        continue;
      const BinaryFormat format = format_of(inputs_[i]);
      const Term x = variables_[i];
      system.assert_true(
          system.compare(Op::cmp_oge, x, system.constant(numeric::bits_of(inputs_[i].low, format), format)));
      system.assert_true(
          system.compare(Op::cmp_ole, x, system.constant(numeric::bits_of(inputs_[i].high, format), format)));
      if (!inputs_[i].floating)
        system.assert_true(system.compare(Op::cmp_oeq, system.operation(Op::roundeven, x), x));
    }
  }

  PathCondition& result() { return condition_; }

private:
  Term operand(uint32_t operand, Format format) {
    const BinaryFormat binary = numeric::binary_format(format);
    if (runtime::is_constant(operand))
      return condition_.system.constant(numeric::bits_of(tape_.exact(operand), binary), binary);
    const Term term = operand == 0 ? leaf(0, format) : terms_[operand];
    return condition_.system.sort(term).format == binary ? term : condition_.system.convert(term, binary);
  }

  Term input(size_t which) {
    used_[which] = true;
    return condition_.system.convert(variables_[which], numeric::binary_format(inputs_[which].cell));
  }

  Term leaf(uint32_t index, Format format) {
    const BinaryFormat binary = numeric::binary_format(format);
    if (index != 0 && tape_.site(index).determined)
      return condition_.system.constant(numeric::bits_of(tape_.exact(index), binary), binary);
    if (const int parameter = index == 0 ? -1 : tape_.site(index).parameter;
        parameter >= 0 && size_t(parameter) < inputs_.size() && !inputs_[parameter].floating)
      return condition_.system.convert(input(size_t(parameter)), binary);
    condition_.leaves = true;
    if (leaves_ == Leaves::anything || index == 0)
      return condition_.system.variable(fmt::format("leaf{}", index), float_sort(binary));
    return condition_.system.constant(numeric::bits_of(tape_.exact(index), binary), binary);
  }

  Term term_of(uint32_t index) {
    const tape::Site& site = tape_.site(index);
    const tape::Record& record = tape_.record(index);
    System& system = condition_.system;
    if (site.op == Op::input)
      return input(index - 1);
    if (ops::is_leaf(site.op))
      return leaf(index, site.format);
    const Term a = operand(record.a, site.operand_format);
    switch (site.op) {
    case Op::fpext:
    case Op::fptrunc:
      return system.convert(a, numeric::binary_format(site.format));
    case Op::round_add: // an addition, as the machine sees it
      return system.operation(Op::fadd, a, operand(record.b, site.format));
    case Op::ldexp:
      if (const auto power = power_of_two(record.b, site.format))
        return system.operation(Op::fmul, a, *power);
      break;
    default:
      break;
    }
    const int arity = ops::arity(site.op);
    return system.operation(site.op, a, arity > 1 ? operand(record.b, site.format) : 0,
                            arity > 2 ? operand(record.c, site.format) : 0);
  }

  // ldexp by a known exponent is a product, if the format has that power.
  std::optional<Term> power_of_two(uint32_t exponent, Format format) {
    const bool known =
        runtime::is_constant(exponent) || (exponent != 0 && ops::is_leaf(tape_.site(exponent).op) &&
                                           (leaves_ == Leaves::as_they_were || tape_.site(exponent).determined));
    const long double power = known ? tape_.exact(exponent) : 1e9L;
    const numeric::FormatInfo info = numeric::info(format);
    if (!known || power > info.max_exponent || power < info.min_exponent)
      return std::nullopt;
    const BinaryFormat binary = numeric::binary_format(format);
    return condition_.system.constant(numeric::bits_of(std::ldexp(1.0L, int(power)), binary), binary);
  }

  // a, rounded as the conversion does, is this integer; or, where the machine had none to give, a lies outside.
  Term becomes(Term a, const tape::Site& site, int64_t integer) {
    System& system = condition_.system;
    const Op rounding = site.op == Op::to_int ? Op::trunc : site.op == Op::to_int_rint ? Op::roundeven : Op::round;
    const Term rounded = system.operation(rounding, a);
    const BinaryFormat format = system.sort(a).format;
    const auto constant = [&](long double value) { return system.constant(numeric::bits_of(value, format), format); };
    const int bits = std::min(site.integer_bits, 64);
    const long double above = site.integer_signed ? std::ldexp(1.0L, bits - 1) : std::ldexp(1.0L, bits);
    const long double below = site.integer_signed ? -above : 0;
    const Term inside = system.both(system.compare(Op::cmp_oge, rounded, constant(below)),
                                    system.compare(Op::cmp_olt, rounded, constant(above)));
    const long double value = site.integer_signed ? (long double)integer : (long double)uint64_t(integer);
    const Term equal = system.compare(Op::cmp_oeq, rounded, constant(value));
    // The lowest integer also stands for "no integer".
    const bool indefinite = value == below && site.integer_signed;
    return indefinite ? system.either(equal, system.negate(inside)) : system.both(equal, inside);
  }

  const tape::Tape& tape_;
  std::span<const InputRange> inputs_;
  Leaves leaves_;
  PathCondition condition_;
  std::vector<Term> variables_, terms_;
  std::vector<char> used_;
};

} // namespace

std::optional<PathCondition> path_condition(const tape::Tape& tape, std::span<const tape::Branch> decisions,
                                            const Turn& turn, std::span<const InputRange> inputs, Leaves leaves,
                                            size_t most_terms) {
  Reading reading(tape, inputs, leaves);
  if (!reading.read(decisions.first(turn.place + 1), most_terms))
    return std::nullopt;
  System& system = reading.result().system;
  for (const tape::Branch& decision : decisions.first(turn.place))
    if (const auto condition = reading.condition(decision, decision.outcome))
      system.assert_true(*condition);
  for (const int64_t outcome : turn.not_these) {
    const auto condition = reading.condition(decisions[turn.place], outcome);
    if (!condition)
      return std::nullopt;
    system.assert_true(system.negate(*condition));
  }
  if (turn.to)
    if (const auto condition = reading.condition(decisions[turn.place], *turn.to))
      system.assert_true(*condition);
  reading.restrict_inputs();
  return std::move(reading.result());
}

Model model_of(const PathCondition& condition, std::span<const InputRange> inputs,
               std::span<const long double> values) {
  Model model(condition.system.variables().size());
  for (size_t i = 0; i < inputs.size(); ++i)
    model[i] = numeric::bits_of(values[i], format_of(inputs[i]));
  return model;
}

std::vector<long double> input_of(const PathCondition& condition, std::span<const InputRange> inputs,
                                  const Model& model, std::span<const long double> otherwise) {
  std::vector<char> used(inputs.size());
  for (const Node& node : condition.system.nodes())
    for (int i = 0; i < operand_count(node); ++i)
      if (const Node& operand = condition.system.node(node.operands[i]);
          operand.form == Form::variable && operand.value < inputs.size())
        used[size_t(operand.value)] = true;
  std::vector<long double> values(otherwise.begin(), otherwise.end());
  for (size_t i = 0; i < inputs.size(); ++i)
    if (used[i])
      values[i] = numeric::long_double_of(model[i], format_of(inputs[i]));
  return values;
}

} // namespace faultline::constraint
