// A solver answers whether a constraint system has a model.
//
// sat comes with a model, and nobody sees it before `check` has evaluated the system under it. unsat is a proof: a
// solver that cannot be sure answers unknown.
#pragma once

#include "base/clock.h"
#include "constraint/system.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace faultline::solve {

enum class Answer : uint8_t { unknown, sat, unsat };
std::string_view name(Answer answer);

struct Result {
  Answer answer = Answer::unknown;
  constraint::Model model = {}; // of sat
  std::string solver = {};      // who answered
  std::string reason = {};      // of unknown: why, for people
  double seconds = 0;
  uint64_t projections = 0; // of the interval solver: what it cost, the same on every machine
};

struct Question {
  const constraint::System& system;
  double seconds = 10;
  uint64_t seed = 1;
  // Models that nearly satisfy the system, such as the input of the neighbouring run: where to look first.
  std::vector<constraint::Model> near = {};
  bool ulp_max = true; // for the interval solver
  // A second limit, in units that are the same on every machine (projections, evaluations): whoever needs the same
  // answers everywhere sets it low enough that the clock does not matter.
  uint64_t effort = ~uint64_t(0);
  bool in_process = false; // no child processes: within the sandbox
};

using base::Deadline;

using Solver = Result (*)(const Question& question);

struct NamedSolver {
  const char* name;
  Solver run;
  const char* description;
  // Are all terms of the system of a sort that it knows? What a solver cannot do it leaves to the others: it is not
  // asked.
  bool (*can_solve)(const constraint::System& system) = [](const constraint::System&) { return true; };
};

// The one list of solvers; `portfolio`, the default, comes first.
const std::vector<NamedSolver>& solvers();
const NamedSolver* find_solver(const std::string& name);
// The name in that list, which lasts for ever; "solver" if it is none of them.
std::string_view known_name(const std::string& name);

// Runs one of them. A model that does not satisfy the system makes the answer unknown, and `reason` says so.
Result solve(const NamedSolver& solver, const Question& question);

// The first answer of these solvers, asked in this order; of names that are not known nobody is asked.
Result solve_by_turns(const std::vector<std::string>& names, const Question& question);

// The same in a process of its own, which is killed soon after the time is over.
Result solve_apart(const NamedSolver& solver, const Question& question);

// One file each.
Result solve_portfolio(const Question& question);
Result solve_interval(const Question& question);
Result solve_newton(const Question& question);
Result solve_real(const Question& question);
Result solve_bits(const Question& question);
Result solve_z3(const Question& question);
Result solve_cvc5(const Question& question);

} // namespace faultline::solve
