// Boolean circuits of gates with at most three inputs. Equal gates are built once.
//
// A gate is identified by twice its number, plus one if negated, so negation is free; number 0 is the constant. Local
// simplification handles constants, repeated and complementary operands, and one level below conjunctions. A circuit
// over constants is therefore evaluated while it is built; the tests of the arithmetic use this.
//
// Sums (parity) and carries (majority) of full adders, and choices, are separate gates and not made of conjunctions:
// their clauses propagate better than the clauses of their parts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace faultline::solve {

class Gate {
public:
  constexpr Gate() = default; // false
  constexpr Gate(bool value) : code_(value) {}
  static constexpr Gate of(uint32_t number, bool negated) {
    Gate gate;
    gate.code_ = number << 1 | uint32_t(negated);
    return gate;
  }

  constexpr uint32_t number() const { return code_ >> 1; }
  constexpr bool negated() const { return code_ & 1; }
  constexpr bool constant() const { return number() == 0; }
  constexpr bool is_true() const { return code_ == 1; }
  constexpr bool is_false() const { return code_ == 0; }
  constexpr uint32_t code() const { return code_; }

  constexpr Gate operator!() const { return of(number(), !negated()); }
  constexpr Gate operator^(bool flip) const { return of(number(), negated() != flip); }
  constexpr bool operator==(const Gate&) const = default;

private:
  uint32_t code_ = 0;
};

enum class Kind : uint8_t {
  constant,
  input,
  conjunction, // of two
  parity2,
  parity3,
  choice, // if operand 0 then operand 1 else operand 2
  majority
};

class Gates {
public:
  struct Node {
    Kind kind = Kind::constant;
    std::array<Gate, 3> operands = {};
    bool operator==(const Node&) const = default;
  };

  Gates() : nodes_(1) {}

  Gate input();
  Gate both(Gate a, Gate b);
  Gate either(Gate a, Gate b) { return !both(!a, !b); }
  Gate differ(Gate a, Gate b);
  Gate equal(Gate a, Gate b) { return !differ(a, b); }
  Gate choose(Gate condition, Gate then, Gate otherwise);
  Gate parity(Gate a, Gate b, Gate c);
  Gate majority(Gate a, Gate b, Gate c);
  Gate all(std::vector<Gate> gates); // balanced
  Gate any(std::vector<Gate> gates);

  // Requires that the gate is true in every model. A contradiction is remembered.
  void require(Gate gate);
  const std::vector<Gate>& requirements() const { return requirements_; }
  bool contradictory() const { return contradictory_; }

  std::size_t size() const { return nodes_.size(); }
  const Node& node(uint32_t number) const { return nodes_[number]; }

private:
  struct Hash {
    std::size_t operator()(const Node& node) const;
  };
  Gate add(Kind kind, Gate a, Gate b, Gate c = {});
  bool is_conjunction(Gate gate) const { return nodes_[gate.number()].kind == Kind::conjunction; }

  std::vector<Node> nodes_;
  std::unordered_map<Node, uint32_t, Hash> known_;
  std::vector<Gate> requirements_;
  bool contradictory_ = false;
};

} // namespace faultline::solve
