#include "solve/interval/propagation.h"

#include "solve/interval/projection.h"
#include "solve/interval/ulp_max.h"

namespace faultline::solve {

using constraint::Form;
using constraint::Node;
using constraint::System;
using constraint::Term;

namespace {

constexpr int worthwhile_share = 32; // a narrowing by one such part of the domain wakes others
// Projections of one propagation: this many for each node. Slow convergence is left to splitting.
constexpr uint64_t projections_a_node = 40;

bool worthwhile(const Domain& before, const Domain& after) {
  if (before.nan != after.nan || after.numbers.low == after.numbers.high)
    return true;
  const Int128 width = before.numbers.high - before.numbers.low;
  const Int128 gone = (after.numbers.low - before.numbers.low) + (before.numbers.high - after.numbers.high);
  // Near zero a few floats are a large share of the magnitudes, so zero and the infinities count in themselves.
  const bool sign_settled =
      (before.numbers.low < 0) != (after.numbers.low < 0) || (before.numbers.high < 0) != (after.numbers.high < 0);
  return sign_settled || gone > width / worthwhile_share;
}

} // namespace

Propagation::Propagation(const System& system, bool ulp_max, const Deadline* deadline)
    : system_(system), ulp_max_(ulp_max), deadline_(deadline), relevant_(system.size()), queued_(system.size()),
      users_(system.size()) {
  for (const Node& node : system.nodes())
    domains_.push_back(node.form == Form::constant ? only(node.sort, node.value) : whole(node.sort));
  for (const Term assertion : system.assertions())
    relevant_[assertion] = true;
  for (Term term = Term(system.size()); term-- > 0;) {
    if (!relevant_[term])
      continue;
    const Node& node = system.node(term);
    for (int i = 0; i < operand_count(node); ++i) {
      relevant_[node.operands[i]] = true;
      if (i == 0 || node.operands[i] != node.operands[0])
        users_[node.operands[i]].push_back(term);
    }
  }
}

bool Propagation::start() {
  for (Term term = 0; term < system_.size(); ++term)
    if (relevant_[term])
      enqueue(term);
  for (const Term assertion : system_.assertions())
    if (!narrow(assertion, true_domain))
      return false;
  return run();
}

bool Propagation::restrict(Term term, const Domain& domain) { return narrow(term, domain) && run(); }

void Propagation::undo(size_t mark) {
  while (trail_.size() > mark) {
    domains_[trail_.back().term] = trail_.back().before;
    trail_.pop_back();
  }
  for (const Term term : queue_)
    queued_[term] = false;
  queue_.clear();
}

// Meets the domain with another; false if nothing is left.
bool Propagation::narrow(Term term, const Domain& domain) {
  Domain& current = domains_[term];
  const Domain narrower = meet(current, domain);
  if (narrower == current)
    return !current.empty();
  if (narrower.empty())
    return false;
  const bool telling = worthwhile(current, narrower);
  trail_.push_back({term, current});
  current = narrower;
  if (telling)
    wake(term);
  return true;
}

void Propagation::wake(Term term) {
  enqueue(term);
  for (const Term user : users_[term])
    enqueue(user);
}

void Propagation::enqueue(Term term) {
  if (queued_[term] || operand_count(system_.node(term)) == 0)
    return;
  queued_[term] = true;
  queue_.push_back(term);
}

bool Propagation::revise(Term term) {
  const Node& node = system_.node(term);
  const int count = operand_count(node);
  Scope scope{domains_[term], {}};
  for (int i = 0; i < count; ++i)
    scope.operands[i] = domains_[node.operands[i]];
  ++projections_;
  project(system_, term, scope);
  if (ulp_max_ && node.form == Form::operation && count == 2)
    filter_by_ulp_max(node.op, node.sort.format, scope);
  if (!narrow(term, scope.result))
    return false;
  for (int i = 0; i < count; ++i)
    if (!narrow(node.operands[i], scope.operands[i]))
      return false;
  return true;
}

bool Propagation::run() {
  const uint64_t most = projections_ + projections_a_node * std::max<uint64_t>(system_.size(), 64);
  while (!queue_.empty()) {
    const Term term = queue_.front();
    queue_.pop_front();
    queued_[term] = false;
    if (!revise(term))
      return false;
    const bool late = deadline_ && projections_ % 1024 == 0 && deadline_->passed();
    if (projections_ >= most || late) {
      for (const Term left : queue_)
        queued_[left] = false;
      queue_.clear();
    }
  }
  return true;
}

std::optional<std::vector<Domain>> propagated(const System& system, bool ulp_max, const Deadline* deadline) {
  Propagation propagation(system, ulp_max, deadline);
  if (!propagation.start())
    return std::nullopt;
  return propagation.domains();
}

} // namespace faultline::solve
