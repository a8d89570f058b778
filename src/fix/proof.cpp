#include "fix/proof.h"

#include "fix/algebra.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace faultline::fix {

namespace {

// Congruence closure of ground terms that remembers reasons (Nieuwenhuis and Oliveras, "Fast congruence closure and
// extensions", 2007).
class Closure {
public:
  using Id = uint32_t;

  Id add(const Term& term) {
    if (const auto at = ids_.find(term.hash()); at != ids_.end())
      return at->second;
    std::vector<Id> operands;
    for (const Term& operand : term.operands())
      operands.push_back(add(operand));
    const Id id = Id(operands_.size());
    ids_.emplace(term.hash(), id);
    operands_.push_back(operands);
    keys_.push_back(uint64_t(term.kind()) << 32 | uint64_t(term.op()));
    up_.push_back(id);
    reason_.push_back({});
    members_.push_back({id});
    parents_.push_back({});
    for (const Id operand : operands)
      parents_[find(operand)].push_back(id);
    hash_in(id);
    fold(term, id);
    settle();
    return id;
  }

  void equate(Id a, Id b, size_t equation) {
    pending_.push_back({a, b, equation});
    settle();
  }
  bool equal(Id a, Id b) const { return find(a) == find(b); }

  void explain(Id a, Id b, std::set<size_t>& used, std::set<std::pair<Id, Id>>& done) const {
    if (a == b || !done.emplace(std::min(a, b), std::max(a, b)).second)
      return;
    std::vector<Id> path;
    std::set<Id> above;
    for (Id at = a;; at = reason_[at].next) {
      above.insert(at);
      if (!reason_[at].has)
        break;
    }
    Id meet = b;
    while (!above.contains(meet))
      meet = reason_[meet].next;
    for (Id side : {a, b})
      for (Id at = side; at != meet; at = reason_[at].next) {
        const Reason& reason = reason_[at];
        if (reason.equation != by_congruence) {
          if (reason.equation != by_arithmetic)
            used.insert(reason.equation);
          continue;
        }
        const auto &x = operands_[reason.left], &y = operands_[reason.right];
        const bool straight = x.size() != 2 || (equal(x[0], y[0]) && equal(x[1], y[1]));
        for (size_t i = 0; i < x.size(); ++i)
          explain(x[i], straight ? y[i] : y[y.size() - 1 - i], used, done);
      }
  }

private:
  static constexpr size_t by_congruence = SIZE_MAX, by_arithmetic = SIZE_MAX - 1;
  struct Reason {
    bool has = false;
    Id next = 0;
    size_t equation = 0;
    Id left = 0, right = 0; // of a congruence
  };
  struct Pending {
    Id a, b;
    size_t equation;
  };

  Id find(Id id) const {
    while (up_[id] != id)
      id = up_[id];
    return id;
  }
  std::vector<uint64_t> signature(Id id) const {
    std::vector<uint64_t> key = {keys_[id]};
    for (const Id operand : operands_[id])
      key.push_back(find(operand));
    if (key.size() == 3 && commutes(Op(keys_[id] & 0xffffffff)) && key[1] > key[2])
      std::swap(key[1], key[2]);
    return key;
  }
  void hash_in(Id id) {
    if (operands_[id].empty())
      return;
    const auto [at, is_new] = table_.emplace(signature(id), id);
    if (!is_new && find(at->second) != find(id))
      pending_.push_back({id, at->second, by_congruence});
  }
  // a - b is a + -b; numbers are computed; -(-a) is a.
  void fold(const Term& term, Id id) {
    if (term.is(Op::fsub))
      pending_.push_back({id, add(term.operand(0) + -term.operand(1)), by_arithmetic});
    const bool numbers = !term.operands().empty() && std::all_of(term.operands().begin(), term.operands().end(),
                                                                 [](const Term& t) { return t.is_number(); });
    if (numbers)
      for (const Term& form : rational_forms(term))
        if (form.is_number())
          pending_.push_back({id, add(form), by_arithmetic});
    if (const Term tidy = tidied(term); !(tidy == term))
      pending_.push_back({id, add(tidy), by_arithmetic});
  }
  void settle() {
    while (!pending_.empty()) {
      const Pending next = pending_.back();
      pending_.pop_back();
      Id a = find(next.a), b = find(next.b);
      if (a == b)
        continue;
      if (members_[a].size() > members_[b].size()) {
        join(next.b, next.a, next.equation, next);
        std::swap(a, b);
      } else
        join(next.a, next.b, next.equation, next);
      up_[a] = b;
      members_[b].insert(members_[b].end(), members_[a].begin(), members_[a].end());
      const std::vector<Id> parents = std::move(parents_[a]);
      parents_[a].clear();
      for (const Id parent : parents) {
        hash_in(parent);
        parents_[b].push_back(parent);
      }
    }
  }
  // Makes `from` the root of its tree of reasons, and hangs it below `to`.
  void join(Id from, Id to, size_t equation, const Pending& why) {
    std::vector<Id> path = {from};
    while (reason_[path.back()].has)
      path.push_back(reason_[path.back()].next);
    for (size_t i = path.size(); i-- > 1;) {
      reason_[path[i]] = reason_[path[i - 1]];
      reason_[path[i]].next = path[i - 1];
      reason_[path[i]].has = true;
    }
    reason_[from] = {true, to, equation, why.a, why.b};
  }

  std::unordered_map<uint64_t, Id> ids_;
  std::vector<std::vector<Id>> operands_;
  std::vector<uint64_t> keys_;
  std::vector<Id> up_;
  std::vector<Reason> reason_;
  std::vector<std::vector<Id>> members_, parents_;
  std::map<std::vector<uint64_t>, Id> table_;
  std::vector<Pending> pending_;
};

} // namespace

std::optional<std::vector<Equation>> proof_of(const Term& a, const Term& b, const std::vector<Equation>& equations) {
  Closure closure;
  const auto x = closure.add(a), y = closure.add(b);
  for (size_t i = 0; i < equations.size() && !closure.equal(x, y); ++i) {
    const auto left = closure.add(equations[i].left), right = closure.add(equations[i].right);
    closure.equate(left, right, i);
  }
  if (!closure.equal(x, y))
    return std::nullopt;
  std::set<size_t> used;
  std::set<std::pair<Closure::Id, Closure::Id>> done;
  closure.explain(x, y, used, done);
  std::vector<Equation> proof;
  for (const size_t i : used)
    proof.push_back(equations[i]);
  return proof;
}

bool is_instance(const Equation& equation) {
  if (equation.rule == nullptr)
    return same_rational(equation.left, equation.right);
  return term_of(equation.rule->left, equation.letters) == equation.left &&
         term_of(equation.rule->right, equation.letters) == equation.right;
}

bool follows(const Term& a, const Term& b, const std::vector<Equation>& equations) {
  return proof_of(a, b, equations).has_value();
}

} // namespace faultline::fix
