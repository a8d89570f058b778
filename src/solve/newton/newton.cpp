// The cheap way to a model: definitions out of the way, then from one start after the other steps of Newton's kind in
// all variables, and a local search that is exact to the last bit. Never says unsat.
#include "constraint/evaluate.h"
#include "solve/newton/definitions.h"
#include "solve/newton/descent.h"
#include "solve/newton/lattice.h"
#include "solve/newton/starts.h"
#include "solve/solver.h"

#include <algorithm>
#include <memory>

namespace faultline::solve {

using constraint::Model;
using constraint::System;

namespace {

// The search in one form of the system.
class Attempt {
public:
  Attempt(const Question& question, bool machine_equality, const Deadline& deadline)
      : original_(question.system), reduced_(without_definitions(question.system, machine_equality)),
        box_(box_of(reduced_.system)), violation_(reduced_.system), rng_(numeric::Rng(question.seed).fork("newton")),
        starts_(reduced_.system, box_, restricted_all(question), rng_.fork("starts")),
        lattice_(violation_, box_, starts_, rng_.fork("lattice"), deadline), deadline_(deadline) {}

  bool lossy() const { return reduced_.lossy; }
  bool too_large() const { return violation_.compiled().too_large(); }
  // An assertion became false: this form has no model.
  bool hopeless() const {
    const auto& assertions = reduced_.system.assertions();
    return std::any_of(assertions.begin(), assertions.end(), [&](constraint::Term term) {
      return reduced_.system.node(term).form == constraint::Form::constant;
    });
  }

  uint64_t work() const { return work_; } // so far, in units of its own

  // Assertions that the best point leaves.
  uint32_t fewest() const { return best_.score.unsatisfied; }

  // From the next start. Budgets grow as Luby's sequence does: many short searches, few long ones.
  std::optional<Model> run() {
    const uint64_t budget = unit_ * luby(++count_);
    work_ += budget;
    Violation::State state;
    if (count_ % 3 == 0)
      return finish(again(budget));
    const Model start = starts_.next();
    violation_.move(state, start);
    if (state.score.unsatisfied != 0 && !lattice_.search(state, budget / 8)) {
      violation_.move(state, start);
      descend(violation_, box_, state, budget, count_ > 8 && count_ % 2 == 0 ? &rng_ : nullptr, deadline_);
    }
    if (state.score.unsatisfied != 0)
      lattice_.search(state, budget);
    return finish(std::move(state));
  }

private:
  // From the best point so far, kicked.
  Violation::State again(uint64_t budget) {
    Violation::State state = best_;
    lattice_.kick(state);
    lattice_.search(state, 2 * budget);
    return state;
  }

  std::optional<Model> finish(Violation::State state) {
    if (best_.point.empty() || state.score.unsatisfied <= best_.score.unsatisfied)
      best_ = state;
    if (state.score.unsatisfied != 0)
      return std::nullopt;
    Model model = reduced_.complete(state.point);
    return satisfies(original_, model) ? std::optional(std::move(model)) : std::nullopt;
  }

  std::vector<Model> restricted_all(const Question& question) const {
    std::vector<Model> result;
    for (const Model& model : question.near)
      result.push_back(restricted(question.system, reduced_, model));
    return result;
  }

  // Enough to move each variable a few times.
  static uint64_t unit_of(const Violation& violation) {
    constexpr uint64_t least = 200'000, moves = 40;
    return std::max(least, moves * violation.work_of_all_moves());
  }

  static uint64_t luby(uint64_t i) {
    for (uint64_t k = 1;; ++k) {
      if (i == (uint64_t{1} << k) - 1)
        return uint64_t{1} << (k - 1);
      if (i < (uint64_t{1} << k) - 1)
        return luby(i - (uint64_t{1} << (k - 1)) + 1);
    }
  }

  const System& original_;
  Reduced reduced_;
  Box box_;
  Violation violation_;
  numeric::Rng rng_;
  Starts starts_;
  Lattice lattice_;
  const Deadline& deadline_;
  const uint64_t unit_ = unit_of(violation_);
  uint64_t count_ = 0, work_ = 0;
  Violation::State best_; // where the fewest assertions fail
};

} // namespace

Result solve_newton(const Question& question) {
  constexpr uint64_t work_an_effort = 64; // about as long as one projection
  const Deadline deadline(question.seconds);
  std::vector<std::unique_ptr<Attempt>> attempts;
  attempts.push_back(std::make_unique<Attempt>(question, true, deadline));
  if (attempts.front()->lossy())
    attempts.push_back(std::make_unique<Attempt>(question, false, deadline));
  std::erase_if(attempts, [](const auto& attempt) { return attempt->hopeless(); });
  if (attempts.empty())
    return {.solver = "newton", .reason = "the definitions contradict each other"};
  if (std::any_of(attempts.begin(), attempts.end(), [](const auto& attempt) { return attempt->too_large(); }))
    return {.solver = "newton", .reason = "too many terms depend on too many variables"};
  size_t starts = 0;
  while (!deadline.passed() && attempts.front()->work() / work_an_effort < question.effort)
    for (const auto& attempt : attempts) {
      ++starts;
      if (std::optional<Model> model = attempt->run())
        return {.answer = Answer::sat, .model = std::move(*model), .solver = "newton"};
    }
  return {.solver = "newton",
          .reason = "no model found from " + std::to_string(starts) + " starts; the best point fails " +
                    std::to_string(attempts.front()->fewest()) + " assertions"};
}

} // namespace faultline::solve
