#include "solve/bits/bits.h"

#include "solve/bits/words.h"
#include "solve/interval/propagation.h"

#include <algorithm>

namespace faultline::solve {

// Counts the uses of the gates of the requirements and of all gates below. Operands have lower numbers than their
// users, so one downward pass suffices.
void Cnf::reach(const std::vector<Gate>& roots) {
  uses_.assign(gates_.size(), 0);
  inner_.assign(gates_.size(), false);
  for (const Gate root : roots)
    uses_[root.number()] += 2; // never absorbed
  for (uint32_t number = uint32_t(gates_.size()) - 1; number > 0; --number) {
    if (uses_[number] == 0)
      continue;
    const Gates::Node& node = gates_.node(number);
    for (const Gate operand : node.operands) {
      if (operand.constant())
        continue;
      ++uses_[operand.number()];
      if (node.kind == Kind::conjunction && !operand.negated() &&
          gates_.node(operand.number()).kind == Kind::conjunction)
        inner_[operand.number()] = true;
    }
  }
}

std::vector<Gate> Cnf::operands_of(Gate conjunction) const {
  std::vector<Gate> found, open{conjunction};
  while (!open.empty()) {
    const Gate next = open.back();
    open.pop_back();
    for (const Gate operand : {gates_.node(next.number()).operands[1], gates_.node(next.number()).operands[0]})
      (absorbed(operand.number()) && !operand.negated() ? open : found).push_back(operand);
  }
  return found;
}

void Cnf::clauses_of_conjunction(uint32_t number) {
  const int result = variables_[number];
  std::vector<int> last{result};
  for (const Gate operand : operands_of(Gate::of(number, false))) {
    solver_.clause({-result, literal(operand)});
    last.push_back(-literal(operand));
  }
  solver_.clause(last);
}

void Cnf::clauses_of(uint32_t number) {
  const Gates::Node& node = gates_.node(number);
  if (node.kind == Kind::conjunction)
    return clauses_of_conjunction(number);
  if (node.kind == Kind::input)
    return;
  const int r = variables_[number], a = literal(node.operands[0]), b = literal(node.operands[1]);
  const int c = node.kind == Kind::parity2 ? 0 : literal(node.operands[2]);
  switch (node.kind) {
  case Kind::parity2:
    for (const auto& [x, y, z] : {std::array{-r, a, b}, {-r, -a, -b}, {r, -a, b}, {r, a, -b}})
      solver_.clause({x, y, z});
    break;
  case Kind::parity3:
    for (int signs = 0; signs < 8; ++signs) {
      const int x = signs & 1 ? -a : a, y = signs & 2 ? -b : b, z = signs & 4 ? -c : c;
      const bool odd = (signs & 1) ^ (signs >> 1 & 1) ^ (signs >> 2 & 1);
      solver_.clause({x, y, z, odd ? r : -r});
    }
    break;
  case Kind::choice:
    for (const auto& [x, y, z] : {std::array{-a, -b, r}, {-a, b, -r}, {a, -c, r}, {a, c, -r}})
      solver_.clause({x, y, z});
    for (const int sign : {1, -1}) // implied: both branches agree
      solver_.clause({sign * b, sign * c, -sign * r});
    break;
  case Kind::majority:
    for (const int sign : {1, -1})
      for (const auto& [x, y] : {std::pair(a, b), std::pair(a, c), std::pair(b, c)})
        solver_.clause({sign * x, sign * y, -sign * r});
    break;
  default:
    break;
  }
}

void Cnf::encode(const std::vector<Gate>& wanted) {
  std::vector<Gate> roots = gates_.requirements();
  roots.insert(roots.end(), wanted.begin(), wanted.end());
  reach(roots);
  variables_.assign(gates_.size(), 0);
  for (uint32_t number = 1; number < gates_.size(); ++number) {
    if (uses_[number] == 0 || absorbed(number))
      continue;
    variables_[number] = solver_.variable();
    clauses_of(number);
  }
  if (gates_.contradictory())
    solver_.clause({});
  for (const Gate root : gates_.requirements())
    solver_.clause({literal(root)});
}

int Cnf::literal(Gate gate) const {
  const int variable = variables_[gate.number()];
  return gate.negated() ? -variable : variable;
}

bool Cnf::value(Gate gate) const {
  if (gate.constant())
    return gate.is_true();
  return variables_[gate.number()] != 0 && solver_.value(literal(gate));
}

BitsSystem::BitsSystem(const System& system, std::span<const Known> known, const Deadline& deadline, size_t most_gates)
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

// Returns a constant if the truth is known.
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
  if (ops::rounding_of(node.op))
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
constexpr uint64_t effort_a_conflict = 20; // a conflict takes about as long as this many projections
constexpr uint64_t most_conflicts = 1'000'000'000;
constexpr size_t gates_in_process = 150'000; // a worker has less memory

int conflicts(uint64_t effort) {
  return effort == ~uint64_t(0) ? Cadical::any_number : int(std::min(effort / effort_a_conflict, most_conflicts));
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

Model BitsSystem::model(const Cnf& cnf) const {
  Model model;
  for (const constraint::Variable& variable : system_.variables()) {
    const Sort& sort = system_.sort(variable.term);
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

Result solve_bits(const Question& question, std::span<const Known> known) {
  const Deadline deadline(question.seconds);
  const BitsSystem circuit(question.system, known, deadline,
                           question.in_process ? gates_in_process : BitsSystem::usual_bound);
  if (!circuit.obstacle().empty())
    return {.reason = circuit.obstacle()};
  Cadical solver;
  Cnf cnf(circuit.gates(), solver);
  cnf.encode();
  Result result{.answer = solver.solve(deadline, conflicts(question.effort))};
  if (result.answer == Answer::sat)
    result.model = circuit.model(cnf);
  else if (result.answer == Answer::unknown)
    result.reason = "out of time";
  return result;
}

// Runs interval propagation first: known bounds make the circuit smaller.
Result solve_bits(const Question& question) {
  const Deadline deadline(question.seconds);
  const auto domains = propagated(question.system, true, &deadline);
  if (!domains)
    return {.answer = Answer::unsat};
  std::vector<Known> known;
  for (const Domain& domain : *domains)
    known.push_back({domain.numbers.low, domain.numbers.high, domain.nan});
  Question rest = question;
  rest.seconds = std::max(0.0, deadline.left());
  return solve_bits(rest, known);
}

} // namespace faultline::solve
