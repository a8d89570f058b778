#include "solve/bits/cnf.h"

namespace faultline::solve {

// The requirements' gates and all below them, with how often each is used. Operands have lower numbers than their
// users, so one pass downwards finds them all.
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
    for (const int sign : {1, -1}) // implied: both sides agree
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

} // namespace faultline::solve
