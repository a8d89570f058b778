#include "search/paths/path_tree.h"

#include <algorithm>
#include <limits>

namespace faultline::search {
namespace {

// A loop of a million rounds is one run, but a million nodes: what comes so late is left alone. Guesses.
constexpr size_t most_places = 4096, most_nodes = 100'000;

} // namespace

// A path may have a million decisions, but a program has only so many places.
Outcomes outcomes_in(const std::vector<tape::Branch>& decisions) {
  Outcomes outcomes;
  for (const tape::Branch& decision : decisions) {
    const std::pair outcome{decision.site, decision.outcome};
    if (const auto place = std::ranges::lower_bound(outcomes, outcome); place == outcomes.end() || *place != outcome)
      outcomes.insert(place, outcome);
  }
  return outcomes;
}

std::vector<int64_t> PathTree::outcomes_of(uint32_t site) const {
  const runtime::Site& where = table_.sites[site];
  if (ops::is_to_int(where.op))
    return {};
  std::vector<int64_t> outcomes;
  for (int i = 0; i < where.outcomes; ++i)
    outcomes.push_back(i);
  return outcomes;
}

const exec::Input* PathTree::covered(uint32_t site, int64_t outcome) const {
  const auto found = covered_.find({site, outcome});
  return found == covered_.end() ? nullptr : &found->second.input;
}

double PathTree::strangeness(uint32_t site, int64_t outcome) const {
  const auto found = covered_.find({site, outcome});
  return found == covered_.end() ? std::numeric_limits<double>::infinity() : found->second.strangeness;
}

bool PathTree::gains(const std::vector<tape::Branch>& decisions, double strangeness) const {
  return std::ranges::any_of(outcomes_in(decisions), [&](const auto& outcome) {
    return strangeness < this->strangeness(outcome.first, outcome.second);
  });
}

bool PathTree::settled(const Node& node) const {
  if (table_.sites[node.site].op == ops::Op::decide && table_.sites[node.site].determined)
    return true;
  const auto outcomes = outcomes_of(node.site);
  return !outcomes.empty() && node.seen.size() >= outcomes.size();
}

bool PathTree::add(const exec::Input& input, const std::vector<tape::Branch>& decisions, double strangeness) {
  uint64_t prefix = 0;
  std::map<uint32_t, int> rounds;
  for (size_t place = 0; place < decisions.size(); ++place) {
    const tape::Branch& decision = decisions[place];
    const auto [shown, first] = covered_.try_emplace({decision.site, decision.outcome}, Shown{input, strangeness});
    if (!first && strangeness < shown->second.strangeness)
      shown->second = {input, strangeness};
    if (place >= most_places || nodes_.size() >= most_nodes) {
      cut_ = true;
      prefix = runtime::extend_path(prefix, {decision.site, decision.outcome}) | 1;
      continue;
    }
    const auto [found, fresh] = by_prefix_.try_emplace(prefix, nodes_.size());
    const int round = ++rounds[decision.site];
    if (fresh)
      nodes_.push_back({decision.site,
                        place,
                        input,
                        {},
                        round <= loop_bound_ ? State::pending : State::bounded,
                        {},
                        false,
                        round,
                        strangeness});
    Node& node = nodes_[found->second];
    if (strangeness < node.strangeness) {
      node.input = input;
      node.strangeness = strangeness;
    }
    if (std::find(node.seen.begin(), node.seen.end(), decision.outcome) == node.seen.end())
      node.seen.push_back(decision.outcome);
    if (settled(node))
      node.state = State::settled;
    prefix = runtime::extend_path(prefix, {decision.site, decision.outcome}) | 1;
  }
  return paths_.insert(prefix).second;
}

bool PathTree::raise_loop_bound(int bound) {
  loop_bound_ = bound;
  bool raised = false;
  for (Node& node : nodes_)
    if (node.state == State::bounded && node.round <= bound) {
      node.state = State::pending;
      raised = true;
    }
  return raised;
}

bool PathTree::promising(const Node& node) const {
  const auto outcomes = outcomes_of(node.site);
  return std::any_of(outcomes.begin(), outcomes.end(),
                     [&](int64_t outcome) { return covered(node.site, outcome) == nullptr; });
}

std::optional<size_t> PathTree::next() const {
  std::optional<size_t> best;
  bool best_promises = false;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].state != State::pending)
      continue;
    const bool promises = promising(nodes_[i]);
    if (!best || (promises && !best_promises) || (promises == best_promises && nodes_[i].place < nodes_[*best].place)) {
      best = i;
      best_promises = promises;
    }
  }
  return best;
}

} // namespace faultline::search
