#include "solve/bits/bits_system.h"

namespace faultline::solve {

using constraint::Form;
using constraint::Node;
using constraint::Term;
using ops::Arithmetic;
using ops::Op;

BitsSystem::BitsSystem(const constraint::System& system, std::span<const Known> known, const Deadline& deadline,
                       size_t most_gates)
    : system_(system), known_(known), values_(system.size()) {
  const std::vector<bool> is_needed = needed();
  for (Term term = 0; term < system.size() && obstacle_.empty(); ++term) {
    if (!is_needed[term])
      continue;
    values_[term] = value_of(term);
    if (system.sort(term).boolean)
      values_[term].truth = decided(term, values_[term].truth);
    if (gates_.size() > most_gates)
      obstacle_ = "more than " + std::to_string(most_gates) + " gates";
    else if (deadline.passed())
      obstacle_ = "out of time";
  }
  for (const Term assertion : system.assertions())
    gates_.require(values_[assertion].truth);
}

// What the assertions reach.
std::vector<bool> BitsSystem::needed() const {
  std::vector<bool> marked(system_.size());
  for (const Term assertion : system_.assertions())
    marked[assertion] = true;
  for (Term term = Term(system_.size()); term-- > 0;) {
    const Node& node = system_.node(term);
    for (int i = 0; marked[term] && i < constraint::operand_count(node); ++i)
      marked[node.operands[size_t(i)]] = true;
  }
  return marked;
}

// A truth that is known becomes a constant.
Gate BitsSystem::decided(Term term, Gate truth) {
  if (known_.empty() || known_[term].low != known_[term].high)
    return truth;
  const bool value = known_[term].low != 0;
  gates_.require(truth ^ !value);
  return value;
}

Known BitsSystem::known_of(Term term) const {
  return known_.empty() ? anything(system_.sort(term).format) : known_[term];
}

BitsSystem::Value BitsSystem::value_of(Term term) {
  const Node& node = system_.node(term);
  const Value &a = values_[node.operands[0]], &b = values_[node.operands[1]], &c = values_[node.operands[2]];
  const bool boolean = node.sort.boolean;
  const auto narrow = [&](const BitsFloat& value) {
    return narrowed(gates_, value, extent_of(known_of(term), value.format));
  };
  switch (node.form) {
  case Form::variable:
    if (boolean)
      return {gates_.input(), {}};
    return {{}, variable(gates_, node.sort.format, known_of(term))};
  case Form::constant:
    if (boolean)
      return {node.value != 0, {}};
    return {{}, constant(node.value, node.sort.format)};
  case Form::operation:
    return {{}, operation(term)};
  case Form::comparison:
    return {holds(gates_, node.op, a.number, b.number), {}};
  case Form::same:
    if (system_.sort(node.operands[0]).boolean)
      return {gates_.equal(a.truth, b.truth), {}};
    return {same(gates_, a.number, b.number), {}};
  case Form::classification:
    return {is(gates_, node.tested, a.number), {}};
  case Form::conjunction:
    return {gates_.both(a.truth, b.truth), {}};
  case Form::disjunction:
    return {gates_.either(a.truth, b.truth), {}};
  case Form::negation:
    return {!a.truth, {}};
  case Form::choice:
    if (boolean)
      return {gates_.choose(a.truth, b.truth, c.truth), {}};
    return {{}, narrow(choose(gates_, a.truth, b.number, c.number))};
  }
  return {};
}

BitsFloat BitsSystem::operation(Term term) {
  const Node& node = system_.node(term);
  const BinaryFormat format = node.sort.format;
  // x + y and y + x are one circuit.
  const bool commutes = node.op == Op::fadd || node.op == Op::fmul;
  const bool swap = commutes && node.operands[0] > node.operands[1];
  const BitsFloat &a = values_[node.operands[swap ? 1 : 0]].number, &b = values_[node.operands[swap ? 0 : 1]].number,
                  &c = values_[node.operands[2]].number;
  const Extent extent = extent_of(known_of(term), format);
  if (ops::rounding_of(node.op) != ops::Rounding::none)
    return narrowed(gates_, round_to_integer(gates_, node.op, a), extent);
  if (!ops::is_arithmetic(node.op))
    return no_circuit(node);
  switch (Arithmetic(node.op)) {
  case Arithmetic::fadd:
  case Arithmetic::round_add:
    return add(gates_, a, b, extent);
  case Arithmetic::fsub:
  case Arithmetic::round_sub:
    return add(gates_, a, negated(b), extent);
  case Arithmetic::fmul:
    return multiply(gates_, a, b, extent);
  case Arithmetic::fdiv:
    return divide(gates_, a, b, extent);
  case Arithmetic::fma:
  case Arithmetic::round_fma:
    return fma(gates_, a, b, c, extent);
  case Arithmetic::sqrt:
    return square_root(gates_, a, extent);
  case Arithmetic::fneg:
    return negated(a);
  case Arithmetic::fabs:
    return absolute(a);
  case Arithmetic::copysign:
    return narrowed(gates_, copy_sign(gates_, a, b), extent);
  case Arithmetic::fmin:
    return narrowed(gates_, minimum(gates_, a, b), extent);
  case Arithmetic::fmax:
    return narrowed(gates_, maximum(gates_, a, b), extent);
  case Arithmetic::fdim: {
    const BitsFloat difference = add(gates_, a, negated(b), extent_of(anything(format), format));
    BitsFloat positive = choose(gates_, holds(gates_, Op::cmp_ogt, a, b), difference, constant(0, format));
    positive.nan = gates_.either(a.nan, b.nan);
    return narrowed(gates_, positive, extent);
  }
  case Arithmetic::fptrunc:
  case Arithmetic::fpext:
    return convert(gates_, a, format, extent);
  case Arithmetic::remainder: // a division as long as the exponents are apart
    break;
  }
  return no_circuit(node);
}

BitsFloat BitsSystem::no_circuit(const Node& node) {
  obstacle_ = "no circuit for " + std::string(ops::name(node.op));
  return constant(0, node.sort.format);
}

Bits BitsSystem::bits_in(const Cnf& cnf, const BitsFloat& value) const {
  const auto fixed = [&](Word word) {
    for (Gate& gate : word)
      gate = cnf.value(gate);
    return word;
  };
  BitsFloat found = value;
  found.nan = cnf.value(value.nan);
  found.sign = cnf.value(value.sign);
  found.exponent.word = fixed(value.exponent.word);
  found.significand = fixed(value.significand);
  return bits_of(found);
}

constraint::Model BitsSystem::model(const Cnf& cnf) const {
  constraint::Model model;
  for (const constraint::Variable& variable : system_.variables()) {
    const constraint::Sort& sort = system_.sort(variable.term);
    const Value& value = values_[variable.term];
    if (sort.boolean)
      model.push_back(cnf.value(value.truth));
    else
      model.push_back(value.number.significand.empty() ? 0 : bits_in(cnf, value.number));
  }
  return model;
}

} // namespace faultline::solve
