#include "solve/bits/bits_system.h"

#include "solve/bits/bits_words.h"

namespace faultline::solve {

using constraint::Form;
using constraint::Node;
using constraint::Term;
using ops::Arithmetic;
using ops::Op;

BitsSystem::BitsSystem(const constraint::System& system, std::span<const Known> known, const Deadline& deadline,
                       size_t most_gates)
    : system_(system), known_(known), values_(system.size()) {
  const std::vector<bool> is_needed = constraint::reached(system);
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
    if (node.sort.is_word())
      return {.word = inputs(gates_, node.sort.width)};
    return {{}, variable(gates_, node.sort.format, known_of(term))};
  case Form::constant:
    if (boolean)
      return {node.value != 0, {}};
    if (node.sort.is_word())
      return {.word = word_of(node.value, node.sort.width)};
    return {{}, constant(node.value, node.sort.format)};
  case Form::operation:
  case Form::rounded:
    return {{}, operation(term)};
  case Form::comparison:
    return {holds(gates_, node.op, a.number, b.number), {}};
  case Form::same:
    if (system_.sort(node.operands[0]).boolean)
      return {gates_.equal(a.truth, b.truth), {}};
    if (system_.sort(node.operands[0]).is_word())
      return {equal(gates_, a.word, b.word)};
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
    if (node.sort.is_word())
      return {.word = choose(gates_, a.truth, b.word, c.word)};
    return {{}, narrow(choose(gates_, a.truth, b.number, c.number))};
  case Form::float_of_pattern:
    return {.number = narrow(float_of_pattern(gates_, a.word, node.sort.format))};
  case Form::float_of_integer:
    return {.number = float_of_integer(gates_, a.word, node.is_signed, node.sort.format,
                                       extent_of(known_of(term), node.sort.format), node.rounding)};
  case Form::integer_of_float:
    return {.word = integer_of_float(gates_, a.number, node.sort.width, node.is_signed)};
  case Form::word:
    return {.word = apply(gates_, node, a.word, b.word)};
  case Form::word_less:
    return {less(gates_, a.word, b.word, node.is_signed)};
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
    return add(gates_, a, b, extent, node.rounding);
  case Arithmetic::fsub:
  case Arithmetic::round_sub:
    return add(gates_, a, negated(b), extent, node.rounding);
  case Arithmetic::fmul:
    return multiply(gates_, a, b, extent, node.rounding);
  case Arithmetic::fdiv:
    return divide(gates_, a, b, extent, node.rounding);
  case Arithmetic::fma:
  case Arithmetic::round_fma:
    return fma(gates_, a, b, c, extent, node.rounding);
  case Arithmetic::sqrt:
    return square_root(gates_, a, extent, node.rounding);
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
    return convert(gates_, a, format, extent, node.rounding);
  case Arithmetic::remainder:
    return remainder(gates_, a, b, extent);
  }
  return no_circuit(node);
}

BitsFloat BitsSystem::no_circuit(const Node& node) {
  obstacle_ = "no circuit for " + std::string(ops::name(node.op));
  return constant(0, node.sort.format);
}

namespace {
Word fixed(const Cnf& cnf, Word word) {
  for (Gate& gate : word)
    gate = cnf.value(gate);
  return word;
}
} // namespace

Bits BitsSystem::bits_in(const Cnf& cnf, const BitsFloat& value) const {
  BitsFloat found = value;
  found.nan = cnf.value(value.nan);
  found.sign = cnf.value(value.sign);
  found.exponent.word = fixed(cnf, value.exponent.word);
  found.significand = fixed(cnf, value.significand);
  return bits_of(found);
}

constraint::Model BitsSystem::model(const Cnf& cnf) const {
  constraint::Model model;
  for (const constraint::Variable& variable : system_.variables()) {
    const constraint::Sort& sort = system_.sort(variable.term);
    const Value& value = values_[variable.term];
    if (sort.boolean)
      model.push_back(cnf.value(value.truth));
    else if (sort.is_word())
      model.push_back(solve::value_of(fixed(cnf, value.word)));
    else
      model.push_back(value.number.significand.empty() ? 0 : bits_in(cnf, value.number));
  }
  return model;
}

} // namespace faultline::solve
