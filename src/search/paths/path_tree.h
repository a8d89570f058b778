// The tree of all runs: the outcomes of decisions, and those left to try.
#pragma once

#include "constraint/tape_terms.h"
#include "exec/session.h"
#include "search/evaluator.h"
#include "search/paths/paths.h"
#include "search/space.h"
#include "solve/solver.h"
#include "tape/path.h"

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace faultline::search {

// Outcomes of decisions, by site; unique and sorted.
using Outcomes = std::vector<std::pair<uint32_t, int64_t>>;
Outcomes outcomes_in(const std::vector<tape::Branch>& decisions);

class PathTree {
public:
  enum class State : uint8_t { pending, settled, open, bounded };

  struct Node {
    uint32_t site = 0;
    size_t place = 0;          // index among the decisions of the runs that reach it
    exec::Input input;         // of one of these runs
    std::vector<int64_t> seen; // outcomes
    State state = State::pending;
    std::string solver;     // that proved there are no other outcomes
    bool compared = false;  // for a conversion: the integers compared with it were tried
    int round = 1;          // the number of decisions at this site on the path, including this one
    double strangeness = 0; // of the input
  };

  PathTree(const runtime::SiteTable& table, int loop_bound) : table_(table), loop_bound_(loop_bound) {}

  // Adds a run; true if its path is new. Among runs with the same outcomes the least strange is kept; among equals, the
  // first.
  bool add(const exec::Input& input, const std::vector<tape::Branch>& decisions, double strangeness = 0);

  // True if a run with these decisions shows something that no run, or only a stranger one, has shown.
  bool gains(const std::vector<tape::Branch>& decisions, double strangeness) const;

  // The next node to work on: preferably one that could show an outcome that no run has shown, then the earliest
  // decision. Nothing if all are settled or given up.
  std::optional<size_t> next() const;

  // Includes decisions that the old bound excluded. False if there are none.
  bool raise_loop_bound(int bound);

  Node& node(size_t index) { return nodes_[index]; }
  const std::vector<Node>& nodes() const { return nodes_; }

  // The outcomes that a decision at this site can have; empty if there is no list (a conversion to an integer).
  std::vector<int64_t> outcomes_of(uint32_t site) const;
  // True if some decisions were too late or too many to have nodes.
  bool cut() const { return cut_; }
  // The run kept for this outcome.
  const exec::Input* covered(uint32_t site, int64_t outcome) const;
  // The strangeness of that run; infinite if there is none.
  double strangeness(uint32_t site, int64_t outcome) const;

private:
  bool settled(const Node& node) const;
  bool promising(const Node& node) const;

  const runtime::SiteTable& table_;
  int loop_bound_;
  std::vector<Node> nodes_;
  std::unordered_map<uint64_t, size_t> by_prefix_;
  std::set<uint64_t> paths_;
  bool cut_ = false;
  struct KnownRun {
    exec::Input input;
    double strangeness;
  };
  std::map<std::pair<uint32_t, int64_t>, KnownRun> covered_;
};

// A question for the solvers: an input that follows a path of the tree and leaves it at one of its nodes.
struct PathQuestion {
  const PathTree::Node& node;
  std::vector<int64_t> not_these; // excluded outcomes of the decision there
  std::optional<int64_t> to = {}; // the required outcome
  constraint::Leaves leaves = constraint::Leaves::as_they_were;
  uint64_t effort = 0;
};

struct PathAnswer {
  solve::Result result;
  bool asked = false;               // there is a path condition
  bool leaves = false;              // values of unknown origin matter
  std::optional<exec::Input> input; // of sat, unless leaves may be anything: then no input is known to produce them
};

// `inputs` may be narrower than the space of the node's own input. The solvers' seed is drawn from `rng`.
PathAnswer ask(Evaluator& evaluator, const PathQuestion& question, const std::vector<constraint::InputRange>& inputs,
               const PathsLimits& limits, numeric::Rng& rng);

// The strangeness of inputs and runs to a reader. Tests should use inputs that a person would choose, if a path has
// such inputs. Everyday inputs (search/space.h) with few digits, small exponents and no signs are the least strange.

// The strangeness of a value, an input and a run: 0 is 0, 3 is less than 1234.5, and an input that is not everyday is
// more than all of those. A run is also strange if it does not return, if its result is not finite, and if it compares
// infinities or NaN: then its path is taken for no good reason.
inline constexpr double strange = 1e3; // a run from here on has something that distracts a reader
double strangeness(const Dimension& dimension, Value value);
double strangeness(const Space& space, const exec::Input& input);
double strangeness(const Space& space, const exec::Input& input, const tape::Tape& tape,
                   std::span<const tape::Branch> decisions, exec::Outcome outcome);

} // namespace faultline::search
