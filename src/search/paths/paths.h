// Directed exploration of paths (FPSE, ICST 2013; the scheme of DART and SAGE): run, read the path condition from the
// tape, change one decision, solve, run again.
//
// All runs form a tree. Its nodes are decisions, identified by the decisions before them. A node is settled when each
// of its outcomes was seen in a run or proved impossible after those before it. When every node is settled, all paths
// are known, and a branch outcome that no run has shown is infeasible. A decision in a loop is a new node in each
// round. Nodes beyond the loop bound are skipped, and conclusions that depend on them hold for that many rounds only.
#pragma once

#include "model/target.h"
#include "search/evaluator.h"
#include "search/space.h"
#include "solve/solver.h"

#include <functional>
#include <string>
#include <vector>

namespace faultline::search {

// The numbers are guesses.
struct PathsLimits {
  int loop_bound = 8;          // how often a decision may be turned on one path
  uint64_t questions = 2'000;  // to the solvers
  uint64_t effort = 400'000;   // of a solver for one question (solve::Question)
  double question_seconds = 5; // the emergency limit for one question
  uint64_t samples = 400;      // runs before the first question
  uint64_t paths = 2'000;
  bool every_path = false;              // continue when every branch outcome is settled
  bool everyday = false;                // show outcomes by inputs that are as ordinary as possible
  std::vector<int> further_bounds = {}; // loop bounds to continue with, in this order, when nothing is left
  bool past_exceptions = true;          // false: a path ends where a run overflows, divides by zero or is invalid
  std::vector<exec::Input> seeds = {};  // runs to begin with
  std::vector<std::string> solvers = {"portfolio"}; // asked in this order, until one has an answer
  size_t terms = 20'000;                            // of a path condition; larger ones are skipped
  uint64_t trials = 400;                            // runs to turn a decision without a solver
  std::function<uint64_t(const solve::Result&, uint64_t effort)> cost = {}; // of a question, in charged records
  std::function<bool()> go_on = {};                                         // called before each decision
};

using model::BranchState;

struct BranchOutcome {
  uint32_t site = 0;
  int64_t outcome = 0;
  BranchState state = BranchState::open;
  exec::Input input;  // of covered
  std::string solver; // of infeasible: the solver that proved it
  std::string why;    // of open and infeasible: what is left, or its condition
};

struct ExploredPath {
  exec::Input input;
  size_t decisions = 0;
  exec::Outcome outcome = exec::Outcome::returned;
};

struct Exploration {
  std::vector<BranchOutcome> outcomes; // of every comparison and integer decision, by site
  std::vector<ExploredPath> paths;     // distinct ones, in the order of discovery
  bool complete = false;               // there are no other paths
  uint64_t questions = 0;
  uint64_t unanswered = 0; // decisions neither turned nor settled
  uint64_t bounded = 0;    // decisions that the loop bound excluded
};

Exploration explore_paths(Evaluator& evaluator, const Space& space, const model::Target& target,
                          const PathsLimits& limits, numeric::Rng rng);

} // namespace faultline::search
