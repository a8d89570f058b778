#include "constraint/exception.h"

#include "constraint/tape_terms.h"

#include <cmath>

namespace faultline::constraint {

using goal::Condition;
using goal::Relation;
using ops::Op;

namespace {

Term number(System& system, long double value, BinaryFormat format) {
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

Term exception(System& system, const goal::Trigger& trigger, std::span<const Term> operands, Term result) {
  std::vector<Term> conditions;
  for (const Term operand : operands)
    conditions.push_back(finite(system, operand));
  for (const Condition& condition : trigger)
    conditions.push_back(
        holds(system, condition, condition.operand == Condition::result ? result : operands[condition.operand]));
  return system.all(std::move(conditions));
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
