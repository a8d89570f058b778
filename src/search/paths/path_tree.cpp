#include "search/paths/path_tree.h"

#include "numeric/decimal.h"
#include "ops/table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace faultline::search {

using constraint::Leaves;

namespace {

// The numbers are guesses, their order is not: a value that is not everyday outweighs thousands of odd digits, and the
// run outweighs the appearance of its input.
constexpr double not_everyday = 1e6, abnormal_end = 1e4, infinite_comparison = strange, infinite_output = 1e2;
constexpr double per_power_of_ten = 0.5, negative = 1, per_unit = 0.01;

// The shortest decimal that reads back: 2.5e+03 has 2 digits, the first digit 2, and the exponent 3.
struct Decimal {
  int digits = 0, first = 0, exponent = 0;
};

Decimal decimal_of(const Dimension& dimension, Value value) {
  std::array<char, 64> text; // a long double has 21 digits and an exponent of 4
  char* const end = text.data() + text.size();
  value = std::fabs(value);
  const char* const last = numeric::with_type(dimension.format, [&](auto type) {
    const auto number = numeric::printable(static_cast<typename decltype(type)::type>(value));
    return std::to_chars(text.data(), end, number, std::chars_format::scientific).ptr;
  });
  const char* const e = std::find(text.data(), const_cast<char*>(last), 'e');
  Decimal decimal{int(e - text.data()) - (e - text.data() > 1), text[0] - '0', 0}; // without the point
  std::from_chars(e + (e[1] == '+' ? 2 : 1), last, decimal.exponent);
  return decimal;
}

bool compares_infinities(const tape::Tape& tape, std::span<const tape::Branch> decisions) {
  return std::ranges::any_of(decisions, [&](const tape::Branch& decision) {
    const tape::Record& record = tape.record(decision.record);
    return ops::is_comparison(tape.site(decision.record).op) &&
           !(std::isfinite(tape.value(record.a)) && std::isfinite(tape.value(record.b)));
  });
}

} // namespace

double strangeness(const Dimension& dimension, Value value) {
  if (value == 0)
    return 0;
  if (!std::isfinite(value))
    return not_everyday;
  const Decimal decimal = decimal_of(dimension, value);
  return (is_everyday(dimension, value) ? 1 : not_everyday) + decimal.digits +
         per_power_of_ten * std::abs(decimal.exponent) + per_unit * decimal.first + (value < 0 ? negative : 0);
}

double strangeness(const Space& space, const exec::Input& input) {
  double sum = 0;
  for (size_t i = 0; i < space.dimensions.size(); ++i)
    if (!space.dimensions[i].held())
      sum += strangeness(space.dimensions[i], input[i]);
  return sum;
}

double strangeness(const Space& space, const exec::Input& input, const tape::Tape& tape,
                   std::span<const tape::Branch> decisions, exec::Outcome outcome) {
  double sum = strangeness(space, input);
  if (compares_infinities(tape, decisions))
    sum += infinite_comparison;
  if (outcome != exec::Outcome::returned)
    return sum + abnormal_end;
  if (!std::ranges::all_of(tape.outputs(), [](const exec::OutputValue& output) { return std::isfinite(output.value); }))
    sum += infinite_output;
  return sum;
}

PathAnswer ask(Evaluator& evaluator, const PathQuestion& question, const std::vector<constraint::InputRange>& inputs,
               const PathsLimits& limits, numeric::Rng& rng) {
  PathAnswer answer;
  const PathTree::Node& node = question.node;
  const tape::Tape tape = evaluator.run(node.input);
  const std::vector<tape::Branch> decisions = tape::path(tape);
  if (decisions.size() <= node.place || decisions[node.place].site != node.site) {
    answer.result.reason = "the run is not repeatable";
    return answer;
  }
  const auto condition = constraint::path_condition(tape, decisions, {node.place, question.not_these, question.to},
                                                    inputs, question.leaves, limits.terms);
  if (!condition) {
    answer.result.reason = "there is no path condition";
    return answer;
  }
  answer.asked = true;
  answer.leaves = condition->leaves;
  solve::Question asked{condition->system, limits.question_seconds, rng.next()};
  asked.effort = question.effort;
  asked.in_process = true;
  exec::Input near = node.input;
  for (size_t i = 0; i < near.size(); ++i)
    near[i] = std::clamp(near[i], inputs[i].low, inputs[i].high);
  if (question.leaves == Leaves::as_they_were)
    asked.near = {constraint::model_of(*condition, inputs, near)};
  answer.result = solve::solve_by_turns(limits.solvers, asked);
  if (limits.cost)
    evaluator.charge(limits.cost(answer.result, question.effort));
  if (answer.result.answer == solve::Answer::sat && question.leaves == Leaves::as_they_were)
    answer.input = constraint::input_of(*condition, inputs, answer.result.model, near);
  return answer;
}

// A loop of a million rounds is one run but a million nodes, so later nodes are skipped. Guesses.
constexpr size_t most_places = 4096, most_nodes = 100'000;

// A path may have a million decisions, but a program has few places.
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
    const auto [shown, first] = covered_.try_emplace({decision.site, decision.outcome}, KnownRun{input, strangeness});
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
