// Adds what rules and algebra know to a graph, in rounds, until it is full.
#pragma once

#include "fix/graph.h"
#include "fix/proof.h"

namespace faultline::fix {

struct SaturationLimits {
  int rounds = 5;
  int expanding_generations = 3; // rules that expand apply to nodes younger than this
  size_t matches_of_rule = 1000;  // in a round; a guess
};

// Returns the equations that were used, for proofs.
std::vector<Equation> saturate(Graph& graph, ClassId root, const SaturationLimits& limits);

} // namespace faultline::fix
