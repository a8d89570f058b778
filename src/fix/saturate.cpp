#include "fix/saturate.h"

#include "fix/algebra.h"
#include "fix/rules.h"
#include "numeric/stable_sort.h"

#include <algorithm>
#include <array>
#include <set>

namespace faultline::fix {

namespace {

class Saturation {
public:
  Saturation(Graph& graph, ClassId root, const SaturationLimits& limits) : graph_(graph), root_(root), limits_(limits) {
    for (const Rule& rule : all_rules())
      if (rule.left.kind == Pattern::Kind::operation)
        by_op_[size_t(rule.left.op)].push_back(&rule);
  }

  void run() {
    for (int round = 0; round < limits_.rounds && !graph_.is_full(); ++round) {
      const size_t before = graph_.nodes();
      apply_algebra();
      apply(false);
      if (!graph_.is_full())
        apply(true);
      apply(false);
      if (graph_.nodes() == before)
        break;
    }
  }

private:
  struct Match {
    const Rule* rule;
    ClassId id;
    Substitution letters;
    int generation;
  };

  void apply(bool expanding) {
    std::vector<Match> matches;
    std::vector<size_t> count(all_rules().size());
    for (const ClassId id : graph_.classes())
      for (const NodeId node_id : graph_.nodes_of(id))
        collect(id, node_id, expanding, matches, count);
    numeric::sort_stably(matches,
                     [](const Match& a, const Match& b) { return a.generation < b.generation; });
    for (const Match& match : matches) {
      if (graph_.is_full())
        break;
      if (!known_.insert(key_of(match)).second)
        continue;
      bool holds_all = true;
      for (const Domain& domain : match.rule->domain)
        holds_all = holds_all && holds(graph_, domain, match.letters);
      if (holds_all)
        graph_.merge(match.id, instantiate(graph_, match.rule->right, match.letters, match.generation + 1));
    }
    graph_.rebuild();
  }

  void collect(ClassId id, NodeId node_id, bool expanding, std::vector<Match>& matches, std::vector<size_t>& count) {
    const Node& node = graph_.node(node_id);
    if (node.kind != Term::Kind::operation)
      return;
    for (const Rule* rule : by_op_[size_t(node.op)]) {
      if (rule->expands != expanding || (expanding && node.generation >= limits_.expanding_generations))
        continue;
      size_t& used = count[size_t(rule - all_rules().data())];
      Substitution letters(rule->letters);
      match_node(graph_, rule->left, node, letters, [&](const Substitution& found) {
        if (used >= limits_.matches_of_rule)
          return false;
        ++used;
        matches.push_back({rule, id, found, node.generation});
        return true;
      });
    }
  }

  std::vector<uint64_t> key_of(const Match& match) const {
    std::vector<uint64_t> key = {uint64_t(match.rule - all_rules().data()), graph_.find(match.id)};
    for (const auto& letter : match.letters)
      key.push_back(letter ? graph_.find(*letter) : ~uint64_t(0));
    return key;
  }

  void apply_algebra() {
    struct Work {
      ClassId id;
      Term term;
      int generation;
    };
    std::vector<Work> work;
    for (const ClassId id : graph_.classes())
      for (const NodeId node_id : graph_.nodes_of(id)) {
        const Node& node = graph_.node(node_id);
        if (node.kind == Term::Kind::operation && node.generation < limits_.expanding_generations &&
            (node.op == Op::fadd || node.op == Op::fmul || node.op == Op::fdiv))
          work.push_back({id, graph_.smallest_of(node_id), node.generation});
      }
    numeric::sort_stably(work, [](const Work& a, const Work& b) { return a.generation < b.generation; });
    for (const Work& item : work) {
      if (graph_.is_full())
        break;
      constexpr int largest = 60; // nodes; a guess
      if (item.term.size() > largest || !algebra_done_.insert(item.term.hash()).second)
        continue;
      for (const Term& form : rational_forms(item.term))
        if (form.size() <= largest)
          graph_.merge(item.id, graph_.add(form, item.generation + 1));
    }
    graph_.rebuild();
  }

  Graph& graph_;
  [[maybe_unused]] ClassId root_;
  SaturationLimits limits_;
  std::array<std::vector<const Rule*>, ops::operation_count> by_op_;
  std::set<std::vector<uint64_t>> known_;
  std::set<uint64_t> algebra_done_;
};

} // namespace

void saturate(Graph& graph, ClassId root, const SaturationLimits& limits) { Saturation(graph, root, limits).run(); }

} // namespace faultline::fix
