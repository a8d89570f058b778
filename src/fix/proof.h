// Proof: why two terms are equal, as a list of equations. Each is an instance of a rule, or an identity of rational
// functions. The two terms are equal if this follows by congruence: equals replaced by equals.
//
// The list can be checked without the search: each equation by itself (is_instance), then the conclusion (follows).
#pragma once

#include "fix/rules.h"

#include <vector>

namespace faultline::fix {

struct Equation {
  Term left, right;
  const Rule* rule = nullptr;  // null: an identity of rational functions, or an assumption
  std::vector<Term> letters = {}; // of the rule
  bool assumed = false;        // a series: true up to its remainder
};

// The equations that prove it; nothing if it does not follow from them.
std::optional<std::vector<Equation>> proof_of(const Term& a, const Term& b, const std::vector<Equation>& equations);

// True if the equation is what its rule says, or an identity of rational functions.
bool is_instance(const Equation& equation);
bool follows(const Term& a, const Term& b, const std::vector<Equation>& equations);

} // namespace faultline::fix
