#include "solve/newton/goals.h"

#include "ops/op.h"

#include <algorithm>
#include <unordered_map>

namespace faultline::solve {

using constraint::Form;
using constraint::Node;
using constraint::System;
using constraint::Term;

namespace {

// A term and its wanted truth: 2 * term + wanted.
using SignedTerm = uint64_t;
constexpr SignedTerm signed_term(Term term, bool wanted) { return SignedTerm(term) << 1 | SignedTerm(wanted); }

class Reading {
public:
  explicit Reading(const System& system) : system_(system) {}

  Goals read() {
    for (const Term assertion : system_.assertions())
      result_.roots.push_back(goal_of(signed_term(assertion, true)));
    std::sort(result_.terms.begin(), result_.terms.end());
    result_.terms.erase(std::unique(result_.terms.begin(), result_.terms.end()), result_.terms.end());
    return std::move(result_);
  }

private:
  uint32_t goal_of(SignedTerm root) {
    std::vector<SignedTerm> open{root};
    while (!open.empty()) {
      const SignedTerm next = open.back();
      if (known_.contains(next) || finish(next, open))
        open.pop_back();
    }
    return known_[root];
  }

  bool finish(SignedTerm next, std::vector<SignedTerm>& open) {
    const Node& node = system_.node(Term(next >> 1));
    const bool wanted = next & 1;
    const auto& [a, b, c] = node.operands;
    const bool boolean_same = node.form == Form::same && system_.sort(a).boolean;
    if (node.form == Form::negation) {
      const SignedTerm inner = signed_term(a, !wanted);
      if (!known_.contains(inner)) {
        open.push_back(inner);
        return false;
      }
      known_[next] = known_[inner];
      return true;
    }
    if (node.form == Form::conjunction || node.form == Form::disjunction)
      return join(next, (node.form == Form::conjunction) == wanted,
                  {{signed_term(a, wanted)}, {signed_term(b, wanted)}}, open);
    if (boolean_same)
      return join(next, false,
                  {{signed_term(a, true), signed_term(b, wanted)}, {signed_term(a, false), signed_term(b, !wanted)}},
                  open);
    if (node.form == Form::choice)
      return join(next, false,
                  {{signed_term(a, true), signed_term(b, wanted)}, {signed_term(a, false), signed_term(c, wanted)}},
                  open);
    known_[next] = add(atom(node, Term(next >> 1), wanted));
    return true;
  }

  // Requires all groups, or one of them; a group requires all its members.
  bool join(SignedTerm next, bool every, const std::vector<std::vector<SignedTerm>>& groups,
            std::vector<SignedTerm>& open) {
    bool ready = true;
    for (const auto& group : groups)
      for (const SignedTerm part : group)
        if (!known_.contains(part)) {
          open.push_back(part);
          ready = false;
        }
    if (!ready)
      return false;
    Goal goal{.kind = every ? Goal::Kind::every : Goal::Kind::some};
    for (const auto& group : groups) {
      if (group.size() == 1) {
        goal.parts.push_back(known_[group[0]]);
        continue;
      }
      Goal inner{.kind = Goal::Kind::every};
      for (const SignedTerm part : group)
        inner.parts.push_back(known_[part]);
      goal.parts.push_back(add(std::move(inner)));
    }
    known_[next] = add(std::move(goal));
    return true;
  }

  Goal atom(const Node& node, Term term, bool wanted) {
    Goal goal{.wanted = wanted, .tested = node.tested, .sort = node.sort};
    if (node.form == Form::constant) {
      goal.wanted = (node.value != 0) == wanted;
      return goal;
    }
    if (node.form == Form::variable) {
      goal.kind = Goal::Kind::boolean;
      goal.a = look_at(term);
      return goal;
    }
    goal.sort = system_.sort(node.operands[0]);
    goal.a = look_at(node.operands[0]);
    if (node.form == Form::classification) {
      goal.kind = Goal::Kind::classify;
      return goal;
    }
    goal.b = look_at(node.operands[1]);
    goal.kind = node.form == Form::same ? Goal::Kind::same : Goal::Kind::compare;
    goal.op = wanted ? node.op : ops::opposite(node.op);
    return goal;
  }

  Term look_at(Term term) {
    result_.terms.push_back(term);
    return term;
  }

  uint32_t add(Goal goal) {
    result_.goals.push_back(std::move(goal));
    return uint32_t(result_.goals.size() - 1);
  }

  const System& system_;
  Goals result_;
  std::unordered_map<SignedTerm, uint32_t> known_;
};

} // namespace

Goals goals_of(const System& system) { return Reading(system).read(); }

} // namespace faultline::solve
