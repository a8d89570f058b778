// Variables that the assertions define are no unknowns: from (assert (= v t)), with v nowhere in t, v is t.
//
// Path conditions and files of program verifiers name every intermediate value, so that fifty variables have three
// degrees of freedom. A search in the three is easy, in the fifty hopeless: every move breaks an equation.
//
// `same` makes a definition without loss. Machine equality (cmp_oeq) loses models, those where v is the other zero;
// whoever substitutes these as well must fall back to the system without. Booleans are defined by same(b, t), by the
// assertion b and by its negation. An assertion that becomes simpler may define another variable, so this goes in
// rounds until nothing changes.
#pragma once

#include "constraint/system.h"

namespace faultline::solve {

struct Reduced {
  constraint::System system;              // over the variables that are left
  std::vector<constraint::Term> meanings; // of each variable of the original: a term of `system`
  bool lossy = false;                     // a machine equality was used

  // A model of the original from one of `system`.
  constraint::Model complete(const constraint::Model& model) const;
};

Reduced without_definitions(const constraint::System& original, bool machine_equality);

// The other way: what `system`'s variables are in a model of the original.
constraint::Model restricted(const constraint::System& original, const Reduced& reduced,
                             const constraint::Model& model);

} // namespace faultline::solve
