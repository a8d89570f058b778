// A circuit as clauses (Tseitin): a variable for each gate that the requirements reach, and clauses that make it equal
// to its function. Both directions are written, not only the one that a requirement needs: values then propagate from
// results to operands, and a model gives every gate a value.
//
// A conjunction that only another conjunction uses becomes part of it.
#pragma once

#include "solve/bits/cadical.h"
#include "solve/bits/gates.h"

namespace faultline::solve {

class Cnf {
public:
  Cnf(const Gates& gates, Cadical& solver) : gates_(gates), solver_(solver) {}

  // Once, when the circuit is complete. `wanted`: gates that get a variable even if no requirement reaches them.
  void encode(const std::vector<Gate>& wanted = {});

  // Of an encoded gate.
  bool encoded(Gate gate) const { return gate.constant() || variables_[gate.number()] != 0; }
  int literal(Gate gate) const;
  // In the model. A gate that was not encoded has no influence: false.
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
  std::vector<bool> inner_; // used, unnegated, by a conjunction
  std::vector<int> variables_;
};

} // namespace faultline::solve
