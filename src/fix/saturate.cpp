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

  std::vector<Equation> equations() {
    std::vector<Equation> all = algebra_;
    graph_.refresh_smallest();
    for (const auto& [rule, letters] : used_) {
      std::vector<Term> terms;
      for (const auto& letter : letters)
        terms.push_back(letter ? graph_.smallest(*letter) : Term::number(0));
      all.push_back({term_of(rule->left, terms), term_of(rule->right, terms), rule, terms});
    }
    return all;
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
      if (!holds_all)
        continue;
      const ClassId other = instantiate(graph_, match.rule->right, match.letters, match.generation + 1);
      if (graph_.find(match.id) != graph_.find(other) && graph_.merge(match.id, other))
        used_.push_back({match.rule, match.letters});
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
      std::vector<Term> forms = rational_forms(item.term);
      if (item.generation == 0)
        for (const Term& other : near_one(item.term)) {
          // The graph proves it by rules, one place at a time.
          graph_.merge(item.id, graph_.add(other, item.generation + 1));
          for (Term& form : rational_forms(other))
            if (form.size() <= largest) {
              graph_.merge(item.id, graph_.add(form, item.generation + 1));
              algebra_.push_back({other, form, nullptr, {}});
            }
        }
      for (const Term& form : forms)
        if (form.size() <= largest) {
          const ClassId other = graph_.add(form, item.generation + 1);
          if (graph_.find(item.id) != graph_.find(other) && graph_.merge(item.id, other))
            algebra_.push_back({item.term, form, nullptr, {}});
        }
    }
    graph_.rebuild();
  }

  // sin(a + b) as sin(a) cos(b) + cos(a) sin(b), where cos(b) is one and a rest; then with a and b exchanged.
  static std::vector<Term> angles_apart(const Term& term) {
    std::vector<Term> found;
    for (const bool exchanged : {false, true}) {
      const std::function<Term(const Term&)> apart = [&](const Term& t) {
        if (t.operands().empty())
          return t;
        std::vector<Term> parts;
        for (const Term& operand : t.operands())
          parts.push_back(apart(operand));
        const bool sine = t.is(Op::sin);
        if ((!sine && !t.is(Op::cos)) || !(parts[0].is(Op::fadd) || parts[0].is(Op::fsub)))
          return t.kind() == Term::Kind::operation ? Term::apply(t.op(), parts) : t;
        Term a = parts[0].operand(0), b = parts[0].is(Op::fsub) ? -parts[0].operand(1) : parts[0].operand(1);
        if (exchanged)
          std::swap(a, b);
        const auto of = [](Op op, const Term& x) { return Term::apply(op, x); };
        const Term half = of(Op::sin, b / Term::number(2));
        const Term cosine = Term::number(1) - Term::number(2) * (half * half);
        return sine ? of(Op::sin, a) * cosine + of(Op::cos, a) * of(Op::sin, b)
                    : of(Op::cos, a) * cosine - of(Op::sin, a) * of(Op::sin, b);
      };
      if (const Term other = apart(term); !(other == term))
        found.push_back(other);
    }
    return found;
  }

  // The term with functions near 1 as one and a small rest, all of one sort: cos(a) = 1 - 2 sin(a/2)^2.
  static std::vector<Term> near_one(const Term& term) {
    std::vector<Term> found = angles_apart(term);
    const Term one = Term::number(1), two = Term::number(2);
    for (const Op op : {Op::cos, Op::exp, Op::cosh}) {
      std::vector<Term> places;
      const std::function<void(const Term&)> collect = [&](const Term& t) {
        if (t.is(op) && std::find(places.begin(), places.end(), t) == places.end())
          places.push_back(t);
        for (const Term& operand : t.operands())
          collect(operand);
      };
      collect(term);
      if (places.empty())
        continue;
      Term other = term;
      for (const Term& place : places) {
        const Term a = place.operand(0);
        const Term half = Term::apply(op == Op::cos ? Op::sin : Op::sinh, a / two), square = two * (half * half);
        other = substituted(other, place,
                            op == Op::exp   ? one + Term::apply(Op::expm1, a)
                            : op == Op::cos ? one - square
                                            : one + square);
      }
      found.push_back(other);
    }
    return found;
  }

  Graph& graph_;
  [[maybe_unused]] ClassId root_;
  SaturationLimits limits_;
  std::array<std::vector<const Rule*>, ops::operation_count> by_op_;
  std::vector<std::pair<const Rule*, Substitution>> used_;
  std::vector<Equation> algebra_;
  std::set<std::vector<uint64_t>> known_;
  std::set<uint64_t> algebra_done_;
};

} // namespace

std::vector<Equation> saturate(Graph& graph, ClassId root, const SaturationLimits& limits) {
  Saturation saturation(graph, root, limits);
  saturation.run();
  return saturation.equations();
}

} // namespace faultline::fix
