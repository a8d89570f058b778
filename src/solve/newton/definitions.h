// Replaces variables that the assertions define: (assert (= v t)) makes v equal to t, if t does not contain v.
//
// Path conditions and files of program verifiers name every intermediate value, so fifty variables may have three
// degrees of freedom. A search over three is easy, and over fifty hopeless: every move violates an equation.
//
// `same` gives a definition without loss. Machine equality (cmp_oeq) loses models, those where v is the other zero; a
// caller that substitutes these too must fall back to the system without them. same(b, t), the assertion b and its
// negation define Booleans. A simplified assertion may define another variable, so the process repeats until nothing
// changes.
#pragma once

#include "solve/solver.h"

namespace faultline::solve {

struct Reduced {
  System system;              // over the remaining variables
  std::vector<Term> meanings; // for each variable of the original: a term of `system`
  bool lossy = false;         // a machine equality was used

  // Converts a model of `system` to a model of the original.
  Model complete(const Model& model) const;
};

Reduced without_definitions(const System& original, bool machine_equality);

// The inverse: the values of `system`'s variables in a model of the original.
Model restricted(const System& original, const Reduced& reduced, const Model& model);

} // namespace faultline::solve
