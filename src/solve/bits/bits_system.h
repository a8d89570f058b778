// A constraint system as a circuit: a float, a gate or a word for each term that the assertions reach, and the
// assertions required.
#pragma once

#include "constraint/system.h"
#include "solve/bits/bits_float.h"
#include "solve/bits/cnf.h"
#include "solve/solver.h"

#include <span>
#include <string>

namespace faultline::solve {

class BitsSystem {
public:
  // A gate takes about 85 bytes here and 800 in CaDiCaL, so this is less than 2 GiB: some 340 operations on doubles.
  static constexpr size_t usual_bound = 2'000'000;

  // `known`: for each term, or empty. Stops early, with `obstacle` set, at an operation that has no circuit (functions
  // of libm), when there are more than `most_gates`, or when the deadline has passed.
  BitsSystem(const constraint::System& system, std::span<const Known> known, const Deadline& deadline,
             size_t most_gates = usual_bound);

  const Gates& gates() const { return gates_; }
  const std::string& obstacle() const { return obstacle_; } // empty: the circuit is complete
  constraint::Model model(const Cnf& cnf) const;            // of the solver's assignment

private:
  // A Boolean term's truth, a float term's value, or a word.
  struct Value {
    Gate truth = {};
    BitsFloat number = {};
    Word word = {};
  };
  Known known_of(constraint::Term term) const;
  Gate decided(constraint::Term term, Gate truth);
  Value value_of(constraint::Term term);
  BitsFloat operation(constraint::Term term);
  BitsFloat no_circuit(const constraint::Node& node);
  Bits bits_in(const Cnf& cnf, const BitsFloat& value) const;

  const constraint::System& system_;
  std::span<const Known> known_;
  Gates gates_;
  std::vector<Value> values_; // by term
  std::string obstacle_;
};

} // namespace faultline::solve
