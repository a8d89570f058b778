// The tree of all runs: what was decided where, and what is left to try.
#pragma once

#include "exec/session.h"
#include "tape/path.h"

#include <map>
#include <optional>
#include <set>
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

} // namespace faultline::search
