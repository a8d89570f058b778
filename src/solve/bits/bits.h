// The complete solver: converts a system to a circuit and the circuit to clauses for CaDiCaL (see BitsSystem and Cnf).
//
// The circuits are our own. SymFPU was not tried as a replacement. cvc5, which uses SymFPU and CaDiCaL, answers 2 of 59
// problems of griggio-small in 4 s each, and this solver 27; of 56 problems of jfs in 2 s each, 4 and 19.
#pragma once

#include "constraint/system.h"
#include "solve/bits/bits_float.h"
#include "solve/bits/cadical.h"
#include "solve/bits/gates.h"
#include "solve/solver.h"

#include <span>
#include <string>

namespace faultline::solve {

// `known`: one entry for each term of the system, or empty. solve_bits(question) uses the results of interval
// propagation.
Result solve_bits(const Question& question, std::span<const Known> known);

// Converts a circuit to clauses (Tseitin): a variable for each gate that the requirements reach, and clauses that make
// it equal to its function. Both directions are written, not only the required one: values then propagate from results
// to operands, and a model gives every gate a value.
//
// A conjunction whose only user is another conjunction becomes part of it.
class Cnf {
public:
  Cnf(const Gates& gates, Cadical& solver) : gates_(gates), solver_(solver) {}

  // Call once, when the circuit is complete. `wanted`: gates that get a variable even if no requirement reaches them.
  void encode(const std::vector<Gate>& wanted = {});

  // For an encoded gate.
  bool encoded(Gate gate) const { return gate.constant() || variables_[gate.number()] != 0; }
  int literal(Gate gate) const;
  // The value in the model. A gate that was not encoded has no influence: false.
  bool value(Gate gate) const;

private:
  void reach(const std::vector<Gate>& roots);
  bool absorbed(uint32_t number) const { return uses_[number] == 1 && inner_[number]; }
  std::vector<Gate> operands_of(Gate conjunction) const;
  void clauses_of(uint32_t number);
  void clauses_of_conjunction(uint32_t number);

  const Gates& gates_;
  Cadical& solver_;
  std::vector<uint32_t> uses_;
  std::vector<bool> inner_; // used only by a conjunction, and not negated
  std::vector<int> variables_;
};

// Converts a constraint system to a circuit: a float, a gate or a word for each term that the assertions need.
class BitsSystem {
public:
  // A gate takes about 85 bytes here and 800 in CaDiCaL, so this limits memory to 2 GiB: some 340 operations on
  // doubles.
  static constexpr size_t usual_bound = 2'000'000;

  // `known`: one entry for each term, or empty. Stops early, with `obstacle` set, at an operation without a circuit
  // (functions of libm), at more than `most_gates` gates, or after the deadline.
  BitsSystem(const System& system, std::span<const Known> known, const Deadline& deadline,
             size_t most_gates = usual_bound);

  const Gates& gates() const { return gates_; }
  const std::string& obstacle() const { return obstacle_; } // empty: the circuit is complete
  Model model(const Cnf& cnf) const;                        // from the solver's assignment

private:
  // The truth of a Boolean term, the value of a float term, or a word.
  struct Value {
    Gate truth = {};
    BitsFloat number = {};
    Word word = {};
  };
  Known known_of(Term term) const;
  Gate decided(Term term, Gate truth);
  Value value_of(Term term);
  BitsFloat operation(Term term);
  BitsFloat no_circuit(const Node& node);
  Bits bits_in(const Cnf& cnf, const BitsFloat& value) const;

  const System& system_;
  std::span<const Known> known_;
  Gates gates_;
  std::vector<Value> values_; // by term
  std::string obstacle_;
};

} // namespace faultline::solve
