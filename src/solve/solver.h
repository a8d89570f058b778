// A solver decides whether a constraint system has a model.
//
// sat comes with a model, which `solve` verifies on the system. unsat is a proof: a solver that is not certain
// answers unknown.
#pragma once

#include "base/clock.h"
#include "constraint/system.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace faultline::solve {

// The words of constraint systems, for all solvers.
using constraint::BinaryFormat, constraint::Bits, constraint::Class, constraint::Form, constraint::Model,
    constraint::Node, constraint::Sort, constraint::System, constraint::Term, constraint::WordOp;
using ops::Arithmetic, ops::Op;

enum class Answer : uint8_t { unknown, sat, unsat };
std::string_view name(Answer answer);

struct Result {
  Answer answer = Answer::unknown;
  constraint::Model model = {}; // for sat
  std::string solver = {};      // the solver that answered
  std::string reason = {};      // for unknown: the reason, for users
  double seconds = 0;
  uint64_t projections = 0; // the cost of the interval solver, the same on every machine
};

struct Question {
  const constraint::System& system;
  double seconds = 10;
  uint64_t seed = 1;
  // Models that nearly satisfy the system, such as the input of the neighbouring run: the first places to search.
  std::vector<constraint::Model> near = {};
  bool ulp_max = true; // for the interval solver
  // A second limit, in units that are the same on every machine (projections, evaluations). For reproducible answers,
  // set it low enough that the clock does not matter.
  uint64_t effort = ~uint64_t(0);
  bool in_process = false; // uses no child processes: within the sandbox
};

using base::Deadline;

using Solver = Result (*)(const Question& question);

struct NamedSolver {
  const char* name;
  Solver run;
  const char* description;
  // True if the solver supports the sorts of all terms of the system. Systems that it does not support are left to
  // other solvers.
  bool (*can_solve)(const constraint::System& system) = [](const constraint::System&) { return true; };
};

// The list of solvers; `portfolio`, the default, is first.
const std::vector<NamedSolver>& solvers();
const NamedSolver* find_solver(const std::string& name);
// Returns the name in that list, with static lifetime; "solver" if it is not in the list.
std::string_view known_name(const std::string& name);

// Runs a solver. A model that does not satisfy the system makes the answer unknown, with a `reason`.
Result solve(const NamedSolver& solver, const Question& question);

// Returns the first answer of these solvers, in this order. Unknown names are skipped.
Result solve_by_turns(const std::vector<std::string>& names, const Question& question);

// Each has its own file.
Result solve_portfolio(const Question& question);
Result solve_interval(const Question& question);
Result solve_newton(const Question& question);
Result solve_real(const Question& question);
Result solve_bits(const Question& question);
Result solve_z3(const Question& question);
Result solve_cvc5(const Question& question);

} // namespace faultline::solve
