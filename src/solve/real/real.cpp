// Ariadne's way to a model (Barr, Vo, Le, Su, POPL 2013): the system is read over the reals, all variables but one are
// given values, and what is left are conditions on rational functions of one unknown, which root isolation turns into
// intervals. Floats of these are tried in the system itself: a model is one under float arithmetic, and only "no" is
// not to be had, since reals are not floats. Never says unsat.
#include "constraint/evaluate.h"
#include "solve/newton/definitions.h"
#include "solve/real/concretisation.h"
#include "solve/solver.h"

#include <algorithm>

namespace faultline::solve {

using constraint::Form;
using constraint::Model;

namespace {

constexpr size_t most_variables = 300, most_terms = 50'000;

bool hopeless(const constraint::System& system) {
  return std::any_of(system.assertions().begin(), system.assertions().end(),
                     [&](constraint::Term term) { return system.node(term).form == Form::constant; });
}

// In one form of the system: with machine equalities as definitions, or without.
std::optional<Model> search(const Question& question, const Reduced& reduced, const Deadline& deadline, Budget& budget,
                            size_t& attempts) {
  if (reduced.system.variables().size() > most_variables || reduced.system.size() > most_terms)
    return std::nullopt;
  std::vector<Model> near;
  for (const Model& model : question.near)
    near.push_back(restricted(question.system, reduced, model));
  Concretisation concretisation(reduced.system, std::move(near), numeric::Rng(question.seed).fork("real"), deadline,
                                budget);
  for (size_t i = 0; concretisation.consistent() && i < concretisation.most_attempts() && !budget.over(); ++i) {
    ++attempts;
    if (const auto found = concretisation.attempt())
      if (Model model = reduced.complete(*found); satisfies(question.system, model))
        return model;
  }
  return std::nullopt;
}

} // namespace

Result solve_real(const Question& question) {
  const Deadline deadline(question.seconds);
  Budget budget(question.effort, deadline);
  size_t attempts = 0;
  for (const bool machine_equality : {true, false}) {
    const Reduced reduced = without_definitions(question.system, machine_equality);
    if (machine_equality || !hopeless(reduced.system))
      if (auto model = search(question, reduced, deadline, budget, attempts))
        return {.answer = Answer::sat, .model = std::move(*model), .solver = "real"};
    if (!reduced.lossy)
      break;
  }
  return {.solver = "real", .reason = "no model found by " + std::to_string(attempts) + " concretisations"};
}

} // namespace faultline::solve
