// The tree of all runs: what was decided where, and what is left to try.
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

// Outcomes of decisions, by site: each once, sorted.
using Outcomes = std::vector<std::pair<uint32_t, int64_t>>;
Outcomes outcomes_in(const std::vector<tape::Branch>& decisions);

class PathTree {
public:
  enum class State : uint8_t { pending, settled, open, bounded };

  struct Node {
    uint32_t site = 0;
    size_t place = 0;          // among the decisions of the runs that reach it
    exec::Input input;         // of such a run
    std::vector<int64_t> seen; // outcomes
    State state = State::pending;
    std::string solver;     // that proved there are no other outcomes
    bool compared = false;  // of a conversion: the integers that it is compared with were tried
    int round = 1;          // how often its site was decided at on the way, this time included
    double strangeness = 0; // of the input
  };

  PathTree(const runtime::SiteTable& table, int loop_bound) : table_(table), loop_bound_(loop_bound) {}

  // Adds a run; true if its path is new. Of runs that show the same the least strange one is remembered, and of equally
  // strange ones the first.
  bool add(const exec::Input& input, const std::vector<tape::Branch>& decisions, double strangeness = 0);

  // Does a run that decides so show something that no run has shown, or only stranger ones?
  bool gains(const std::vector<tape::Branch>& decisions, double strangeness) const;

  // The next node to work on: one that could show an outcome that no run has shown, if there is one; then the earliest
  // decision. Nothing if all are settled or given up.
  std::optional<size_t> next() const;

  // Decisions that the old bound left alone are worked on after all. False if there are none.
  bool raise_loop_bound(int bound);

  Node& node(size_t index) { return nodes_[index]; }
  const std::vector<Node>& nodes() const { return nodes_; }

  // The outcomes that a decision at this site can have; none if there is no list (a conversion to an integer).
  std::vector<int64_t> outcomes_of(uint32_t site) const;
  // Were there decisions so late, or so many, that they have no nodes?
  bool cut() const { return cut_; }
  // The run that is remembered for it.
  const exec::Input* covered(uint32_t site, int64_t outcome) const;
  // How strange that run is; infinitely if there is none.
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
  struct Shown {
    exec::Input input;
    double strangeness;
  };
  std::map<std::pair<uint32_t, int64_t>, Shown> covered_;
};

// A question to the solvers: is there an input that goes along a path of the tree and leaves it at one of its nodes?
struct PathQuestion {
  const PathTree::Node& node;
  std::vector<int64_t> not_these; // outcomes that the decision there must not have
  std::optional<int64_t> to = {}; // the one that it must have
  constraint::Leaves leaves = constraint::Leaves::as_they_were;
  uint64_t effort = 0;
};

struct PathAnswer {
  solve::Result result;
  bool asked = false;               // there is a path condition
  bool leaves = false;              // values of unknown origin matter
  std::optional<exec::Input> input; // of sat, unless leaves may be anything: then nobody knows how to have them
};

// `inputs` may be narrower than the space that the node's own input is from. The solvers' seed is drawn from `rng`.
PathAnswer ask(Evaluator& evaluator, const PathQuestion& question, const std::vector<constraint::InputRange>& inputs,
               const PathsLimits& limits, numeric::Rng& rng);

// How strange inputs and runs are to a reader: tests should be made of inputs that a person would have thought of, as
// far as a path has such inputs. Everyday inputs (search/space.h) with few digits, small exponents and no signs are
// the least strange.

// How strange a value, an input and a run are to a reader: 0 is 0, 3 is less than 1234.5, and one input that is not
// everyday is more than all that is. A run is strange also if it ends otherwise than by returning, if what it returns
// is not finite, and if it compares infinities or NaN: then its path is taken for no good reason.
inline constexpr double strange = 1e3; // from here on a run has something that a reader stumbles over
double strangeness(const Dimension& dimension, long double value);
double strangeness(const Space& space, const exec::Input& input);
double strangeness(const Space& space, const exec::Input& input, const tape::Tape& tape,
                   std::span<const tape::Branch> decisions, exec::Outcome outcome);

} // namespace faultline::search
