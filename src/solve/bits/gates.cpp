#include "solve/bits/gates.h"

#include <algorithm>
#include <utility>

namespace faultline::solve {

std::size_t Gates::Hash::operator()(const Node& node) const {
  uint64_t hash = uint64_t(node.kind);
  for (const Gate operand : node.operands)
    hash = (hash ^ operand.code()) * 0x9e3779b97f4a7c15 ^ hash >> 29;
  return hash ^ hash >> 32;
}

Gate Gates::add(Kind kind, Gate a, Gate b, Gate c) {
  const Node node{kind, {a, b, c}};
  const auto [place, fresh] = known_.try_emplace(node, uint32_t(nodes_.size()));
  if (fresh)
    nodes_.push_back(node);
  return Gate::of(place->second, false);
}

Gate Gates::input() {
  nodes_.push_back({Kind::input, {}});
  return Gate::of(uint32_t(nodes_.size() - 1), false);
}

Gate Gates::both(Gate a, Gate b) {
  if (a.code() > b.code())
    std::swap(a, b);
  if (a.constant())
    return a.is_true() ? b : a;
  if (a == b)
    return a;
  if (a == !b)
    return false;
  for (const auto& [one, other] : {std::pair(a, b), std::pair(b, a)}) {
    if (!is_conjunction(other))
      continue;
    const auto& [left, right, none] = nodes_[other.number()].operands;
    if (!other.negated()) {
      if (one == left || one == right)
        return other;
      if (one == !left || one == !right)
        return false;
    } else {
      if (one == !left || one == !right)
        return one;
      if (one == left || one == right)
        return both(one, one == left ? !right : !left);
    }
  }
  return add(Kind::conjunction, a, b);
}

Gate Gates::differ(Gate a, Gate b) {
  const bool flip = a.negated() != b.negated();
  a = a ^ a.negated();
  b = b ^ b.negated();
  if (a.code() > b.code())
    std::swap(a, b);
  if (a.constant())
    return b ^ flip;
  if (a == b)
    return flip;
  return add(Kind::parity2, a, b) ^ flip;
}

Gate Gates::choose(Gate condition, Gate then, Gate otherwise) {
  if (condition.negated()) {
    condition = !condition;
    std::swap(then, otherwise);
  }
  if (condition.constant())
    return otherwise;
  if (then == otherwise)
    return then;
  if (then == !otherwise)
    return !differ(condition, then);
  if (then.number() == condition.number())
    then = then == condition;
  if (otherwise.number() == condition.number())
    otherwise = otherwise != condition;
  if (then.constant())
    return then.is_true() ? either(condition, otherwise) : both(!condition, otherwise);
  if (otherwise.constant())
    return otherwise.is_true() ? either(!condition, then) : both(condition, then);
  const bool flip = then.negated();
  return add(Kind::choice, condition, then ^ flip, otherwise ^ flip) ^ flip;
}

Gate Gates::parity(Gate a, Gate b, Gate c) {
  bool flip = false;
  std::array<Gate, 3> gates{a, b, c};
  for (Gate& gate : gates) {
    flip ^= gate.negated();
    gate = gate ^ gate.negated();
  }
  std::sort(gates.begin(), gates.end(), [](Gate x, Gate y) { return x.code() < y.code(); });
  const auto [x, y, z] = gates;
  if (x.constant())
    return differ(y, z) ^ flip;
  if (x == y)
    return z ^ flip;
  if (y == z)
    return x ^ flip;
  return add(Kind::parity3, x, y, z) ^ flip;
}

Gate Gates::majority(Gate a, Gate b, Gate c) {
  std::array<Gate, 3> gates{a, b, c};
  std::sort(gates.begin(), gates.end(), [](Gate x, Gate y) { return x.code() < y.code(); });
  auto [x, y, z] = gates;
  if (x.constant())
    return x.is_true() ? either(y, z) : both(y, z);
  if (x.number() == y.number())
    return x == y ? x : z;
  if (y.number() == z.number())
    return y == z ? y : x;
  const bool flip = x.negated(); // majority is its own dual
  return add(Kind::majority, x ^ flip, y ^ flip, z ^ flip) ^ flip;
}

Gate Gates::all(std::vector<Gate> gates) {
  if (gates.empty())
    return true;
  while (gates.size() > 1) {
    std::vector<Gate> half;
    for (std::size_t i = 0; i + 1 < gates.size(); i += 2)
      half.push_back(both(gates[i], gates[i + 1]));
    if (gates.size() % 2 != 0)
      half.push_back(gates.back());
    gates = std::move(half);
  }
  return gates.front();
}

Gate Gates::any(std::vector<Gate> gates) {
  for (Gate& gate : gates)
    gate = !gate;
  return !all(std::move(gates));
}

void Gates::require(Gate gate) {
  std::vector<Gate> open{gate};
  while (!open.empty()) {
    const Gate next = open.back();
    open.pop_back();
    if (next.is_false()) {
      contradictory_ = true;
    } else if (is_conjunction(next) && !next.negated()) {
      open.push_back(nodes_[next.number()].operands[0]);
      open.push_back(nodes_[next.number()].operands[1]);
    } else if (!next.is_true()) {
      requirements_.push_back(next);
    }
  }
}

} // namespace faultline::solve
