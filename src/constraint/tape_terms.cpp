#include "constraint/tape_terms.h"

#include "ops/op.h"
#include "tape/tape.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace faultline::constraint {

using goal::Check;
using goal::Condition;
using goal::Relation;
using numeric::Format;
using ops::Op;

Model model_of(const PathCondition& condition, std::span<const InputRange> inputs,
               std::span<const numeric::Value> values) {
  Model model(condition.system.variables().size());
  for (size_t i = 0; i < inputs.size(); ++i)
    model[i] = numeric::bits_of(values[i], format_of(inputs[i]));
  return model;
}

std::vector<numeric::Value> input_of(const PathCondition& condition, std::span<const InputRange> inputs,
                                     const Model& model, std::span<const numeric::Value> otherwise) {
  std::vector<char> used(inputs.size());
  for (const Node& node : condition.system.nodes())
    for (int i = 0; i < operand_count(node); ++i)
      if (const Node& operand = condition.system.node(node.operands[i]);
          operand.form == Form::variable && operand.value < inputs.size())
        used[size_t(operand.value)] = true;
  std::vector<numeric::Value> values(otherwise.begin(), otherwise.end());
  for (size_t i = 0; i < inputs.size(); ++i)
    if (used[i])
      values[i] = numeric::long_double_of(model[i], format_of(inputs[i]));
  return values;
}

namespace {

// Scales by powers of two that the format has.
Term scaled(System& system, Term x, int bits) {
  const BinaryFormat format = system.sort(x).format;
  while (bits > 0) {
    const int step = std::min(bits, format.max_exponent());
    const Bits power = Bits(step + format.max_exponent()) << format.fraction_bits();
    x = system.operation(Op::fmul, x, system.constant(power, format));
    bits -= step;
  }
  return x;
}

// |a| >= 2^bits * |r| for the larger operand a. With a and b normal, this is the complete condition of both goals.
Term dominates(System& system, int bits, Term a, Term small, Term b) {
  const BinaryFormat format = system.sort(a).format;
  const Term least = system.constant(format.smallest_normal(), format);
  const Term most = system.constant(format.largest(), format);
  return system.all({system.compare(Op::cmp_oge, a, scaled(system, small, bits)), system.compare(Op::cmp_ole, a, most),
                     system.compare(Op::cmp_oge, a, least), system.compare(Op::cmp_oge, b, least)});
}

Term number(System& system, numeric::Value value, BinaryFormat format) {
  return system.constant(numeric::bits_of(value, format), format);
}

Term finite(System& system, Term x) {
  const BinaryFormat format = system.sort(x).format;
  return system.compare(Op::cmp_ole, system.operation(Op::fabs, x), system.constant(format.largest(), format));
}

Term holds(System& system, const Condition& condition, Term x) {
  const BinaryFormat format = system.sort(x).format;
  const auto against = [&](Op comparison, Term a) {
    return system.compare(comparison, a, number(system, condition.value, format));
  };
  switch (condition.relation) {
  case Relation::below:
    return against(Op::cmp_olt, x);
  case Relation::above:
    return against(Op::cmp_ogt, x);
  case Relation::at_least:
    return against(Op::cmp_oge, x);
  case Relation::at_most:
    return against(Op::cmp_ole, x);
  case Relation::beyond:
    return against(Op::cmp_ogt, system.operation(Op::fabs, x));
  case Relation::equal:
    return against(Op::cmp_oeq, x);
  case Relation::unequal:
    return against(Op::cmp_une, x);
  case Relation::whole:
    return system.compare(Op::cmp_oeq, system.operation(Op::roundeven, x), x);
  case Relation::broken:
    return system.compare(Op::cmp_une, system.operation(Op::roundeven, x), x);
  case Relation::infinite:
    return system.classify(Class::infinite, x);
  case Relation::tiny:
    return system.compare(Op::cmp_olt, system.operation(Op::fabs, x),
                          system.constant(format.smallest_normal(), format));
  }
  return system.truth(false);
}

} // namespace

Term inaccuracy(System& system, Check check, int bits, Term a, Term b, Term result, Large large, Left left) {
  const Term first = system.operation(Op::fabs, a), second = system.operation(Op::fabs, b);
  const auto variant = [&](Term one, Term other) {
    return dominates(system, bits, one, check == Check::precision_loss ? other : system.operation(Op::fabs, result),
                     other);
  };
  const Term holds = large == Large::first    ? variant(first, second)
                     : large == Large::second ? variant(second, first)
                                              : system.either(variant(first, second), variant(second, first));
  if (check == Check::precision_loss || left == Left::anything)
    return holds;
  const BinaryFormat format = system.sort(result).format;
  const Op zero = left == Left::nothing ? Op::cmp_oeq : Op::cmp_une;
  return system.both(holds, system.compare(zero, result, system.constant(Bits(0), format)));
}

Term exception(System& system, const goal::Trigger& trigger, std::span<const Term> operands, Term result) {
  std::vector<Term> conditions;
  for (const Term operand : operands)
    conditions.push_back(finite(system, operand));
  for (const Condition& condition : trigger)
    conditions.push_back(
        holds(system, condition, condition.operand == Condition::result ? result : operands[condition.operand]));
  return system.all(std::move(conditions));
}

BinaryFormat format_of(const InputRange& input) {
  return numeric::binary_format(input.floating ? input.values : input.cell);
}

namespace {

class TapeTerms {
public:
  TapeTerms(const tape::Tape& tape, std::span<const InputRange> inputs, Leaves leaves)
      : tape_(tape), inputs_(inputs), leaves_(leaves), terms_(tape.size()) {
    for (const InputRange& input : inputs)
      variables_.push_back(system().variable(input.name, float_sort(format_of(input))));
    used_.resize(inputs.size());
  }

  // Makes terms of all records that these depend on, except decisions. False if that needs more terms.
  bool read(std::span<const uint32_t> records, size_t most_terms) {
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

  // As above, for these records and for the earlier decisions, with their outcomes: the path to the records.
  bool read_path_to(std::span<const uint32_t> records, size_t most_terms) {
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

  // The condition that a decision has an outcome. None if it is an integer condition that cannot be expressed.
  std::optional<Term> condition(const tape::Branch& decision, int64_t outcome) {
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

  // The term of an operand, or of a record that was read.
  Term operand(uint32_t operand, Format format) {
    const BinaryFormat binary = numeric::binary_format(format);
    if (runtime::is_constant(operand))
      return number(tape_.exact(operand), binary);
    const Term term = operand == 0 ? leaf(0, format) : terms_[operand];
    return system().sort(term).format == binary ? term : system().convert(term, binary);
  }

  // Call at the end: restricts the inputs that were used to their ranges.
  void restrict_inputs() {
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

  PathCondition& result() { return condition_; }
  System& system() { return condition_.system; }

private:
  Term input(size_t which) {
    const InputRange& range = inputs_[which];
    const BinaryFormat cell = numeric::binary_format(range.cell);
    if (range.low == range.high)
      return system().convert(number(range.low, format_of(range)), cell);
    used_[which] = true;
    return system().convert(variables_[which], cell);
  }

  Term leaf(uint32_t index, Format format) {
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

  Term term_of(uint32_t index) {
    const tape::Site& site = tape_.site(index);
    if (site.op == Op::input)
      return input(index - 1);
    return ops::is_leaf(site.op) ? leaf(index, site.format) : operation(index);
  }

  Term operation(uint32_t index) {
    const tape::Site& site = tape_.site(index);
    const tape::Record& record = tape_.record(index);
    const Term a = operand(record.a, site.operand_format);
    if (site.op == Op::fpext || site.op == Op::fptrunc)
      return system().convert(a, numeric::binary_format(site.format));
    if (site.op == Op::ldexp)
      if (const auto power = power_of_two(record.b, site.format))
        return system().operation(Op::fmul, a, *power);
    const int arity = ops::arity(site.op);
    // An addition that rounds on purpose is a machine addition.
    return system().operation(ops::without_purpose(site.op), a, arity > 1 ? operand(record.b, site.format) : 0,
                              arity > 2 ? operand(record.c, site.format) : 0);
  }

  Term number(numeric::Value value, BinaryFormat format) {
    return system().constant(numeric::bits_of(value, format), format);
  }

  // ldexp by a known exponent is a product if the format has that power.
  std::optional<Term> power_of_two(uint32_t exponent, Format format) {
    const bool known =
        runtime::is_constant(exponent) || (exponent != 0 && ops::is_leaf(tape_.site(exponent).op) &&
                                           (leaves_ == Leaves::as_they_were || tape_.site(exponent).determined));
    const numeric::Value power = known ? tape_.exact(exponent) : 1e9L;
    const numeric::FormatInfo info = numeric::info(format);
    if (!known || power > info.max_exponent || power < info.min_exponent)
      return std::nullopt;
    return number(std::ldexp(1.0L, int(power)), numeric::binary_format(format));
  }

  // For integers that are inputs, constants, or determined by the path.
  std::optional<Term> integer_condition(const tape::Site& site, const tape::Record& record, int64_t outcome) {
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

  Term one_of_cases(Term a, const std::vector<int64_t>& cases, int64_t outcome) {
    const auto is = [&](int64_t value) { return system().compare(Op::cmp_oeq, a, system().constant(double(value))); };
    if (outcome > 0 && size_t(outcome) <= cases.size())
      return is(cases[size_t(outcome) - 1]);
    std::vector<Term> others;
    for (const int64_t value : cases)
      others.push_back(system().negate(is(value)));
    return system().all(others);
  }

  bool expressible(uint32_t integer) const {
    if (integer == 0 || runtime::is_constant(integer))
      return integer != 0;
    const tape::Site& site = tape_.site(integer);
    return site.determined || (site.parameter >= 0 && size_t(site.parameter) < inputs_.size());
  }

  // States that a, rounded as the conversion does, is this integer or, if the machine has no result for it, that a is
  // out of range.
  Term becomes(Term a, const tape::Site& site, int64_t integer) {
    const Term rounded = system().operation(ops::integer_rounding(*ops::rounding_of(site.op)), a);
    const BinaryFormat format = system().sort(a).format;
    const int bits = std::min(site.integer_bits, 64);
    const numeric::Value above = site.integer_signed ? std::ldexp(1.0L, bits - 1) : std::ldexp(1.0L, bits);
    const numeric::Value below = site.integer_signed ? -above : 0;
    const Term inside = system().both(system().compare(Op::cmp_oge, rounded, number(below, format)),
                                      system().compare(Op::cmp_olt, rounded, number(above, format)));
    const numeric::Value value = site.integer_signed ? (numeric::Value)integer : (numeric::Value)uint64_t(integer);
    const Term equal = system().compare(Op::cmp_oeq, rounded, number(value, format));
    // The lowest integer also means "no integer".
    const bool indefinite = value == below && site.integer_signed;
    return indefinite ? system().either(equal, system().negate(inside)) : system().both(equal, inside);
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
  TapeTerms terms(tape, inputs, leaves);
  std::vector<uint32_t> records;
  for (const tape::Branch& decision : decisions.first(turn.place + 1))
    records.push_back(decision.record);
  if (!terms.read(records, most_terms))
    return std::nullopt;
  System& system = terms.system();
  for (const tape::Branch& decision : decisions.first(turn.place))
    if (const auto condition = terms.condition(decision, decision.outcome))
      system.assert_true(*condition);
  for (const int64_t outcome : turn.not_these) {
    const auto condition = terms.condition(decisions[turn.place], outcome);
    if (!condition)
      return std::nullopt;
    system.assert_true(system.negate(*condition));
  }
  if (turn.to)
    if (const auto condition = terms.condition(decisions[turn.place], *turn.to))
      system.assert_true(*condition);
  terms.restrict_inputs();
  return std::move(terms.result());
}

Term summand_of_fma(TapeTerms& terms, const tape::Record& record, numeric::Format format) {
  return terms.system().operation(Op::fmul, terms.operand(record.a, format), terms.operand(record.b, format));
}

std::optional<PathCondition> inaccuracy_condition(const tape::Tape& tape, std::span<const WantedInaccuracy> wanted,
                                                  std::span<const InputRange> inputs, Leaves leaves,
                                                  size_t most_terms) {
  const std::vector<uint32_t> places = tape::places(tape.table());
  std::vector<uint32_t> goals;
  for (const WantedInaccuracy& one : wanted)
    goals.push_back(tape::find_execution(tape, places, one.goal.place, one.goal.execution));
  if (goals.empty() || std::ranges::find(goals, 0u) != goals.end())
    return std::nullopt;
  TapeTerms terms(tape, inputs, leaves);
  if (!terms.read_path_to(goals, most_terms))
    return std::nullopt;
  System& system = terms.system();
  for (size_t i = 0; i < goals.size(); ++i) {
    const tape::Record& record = tape.record(goals[i]);
    const tape::Site& site = tape.site(goals[i]);
    const bool fused = site.op == Op::fma;
    const Term a = fused ? summand_of_fma(terms, record, site.format) : terms.operand(record.a, site.format);
    const Term b = terms.operand(fused ? record.c : record.b, site.format);
    system.assert_true(inaccuracy(system, wanted[i].goal.check, wanted[i].goal.bits, a, b,
                                  terms.operand(goals[i], site.format), wanted[i].large, wanted[i].left));
  }
  terms.restrict_inputs();
  return std::move(terms.result());
}

std::optional<PathCondition> exception_condition(const tape::Tape& tape, uint32_t index, ops::Exception kind,
                                                 std::span<const InputRange> inputs, Leaves leaves, size_t most_terms) {
  const tape::Site& site = tape.site(index);
  const std::vector<goal::Trigger> triggers = goal::triggers(site, kind);
  if (triggers.empty())
    return std::nullopt;
  TapeTerms terms(tape, inputs, leaves);
  if (!terms.read_path_to({&index, 1}, most_terms))
    return std::nullopt;
  System& system = terms.system();
  std::vector<Term> operands;
  for (int i = 0; i < ops::arity(site.op); ++i)
    operands.push_back(terms.operand(tape.operand(index, i), site.operand_format));
  const bool has_result = !ops::is_to_int(site.op);
  const Term result = has_result ? terms.operand(index, site.format) : operands.front();
  std::vector<Term> alternatives;
  for (const goal::Trigger& trigger : triggers)
    alternatives.push_back(exception(system, trigger, operands, result));
  system.assert_true(system.any(std::move(alternatives)));
  terms.restrict_inputs();
  return std::move(terms.result());
}

} // namespace faultline::constraint
