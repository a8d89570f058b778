#include "solve/newton/violation.h"

#include "constraint/evaluate.h"
#include "numeric/format.h"
#include "ops/op.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace faultline::solve {

// The assertions of a system in negation normal form. Each term and polarity has one goal, so shared terms remain
// shared.
struct Goals {
  std::vector<Goal> goals; // a and b are terms here, not slots
  std::vector<uint32_t> roots;
  std::vector<Term> terms; // used by atoms
};

namespace {

// A term and its wanted truth: 2 * term + wanted.
using SignedTerm = uint64_t;
constexpr SignedTerm signed_term(Term term, bool wanted) { return SignedTerm(term) << 1 | SignedTerm(wanted); }

class GoalReading {
public:
  explicit GoalReading(const System& system) : system_(system) {}

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

Goals goals_of(const System& system) { return GoalReading(system).read(); }

} // namespace

using numeric::Int128;
using numeric::Uint128;

using ops::trait::equal, ops::trait::greater, ops::trait::less;

namespace {

// More than the bits of the widest format.
constexpr double far = 160;

// Approximates log2(1 + floats): linear between the powers of two, which is monotonic and cheap.
double logarithmic(double floats) {
  return double(std::bit_cast<int64_t>(1 + floats) - std::bit_cast<int64_t>(1.0)) * 0x1p-52;
}

// For numbers: their order, and the number of floats between them.
double distance_of(Op comparison, ops::Traits order, double floats) {
  if (ops::holds(comparison, order))
    return 0;
  if (order == equal) // one float off if some order of numbers satisfies the comparison
    return ops::holds(comparison, less | greater) ? logarithmic(1) : far;
  if (!ops::holds(comparison, less | equal | greater))
    return far;
  return logarithmic(ops::holds(comparison, equal) ? floats : floats + 1);
}

int64_t order64(double value) {
  const int64_t bits = std::bit_cast<int64_t>(value);
  return bits >= 0 ? bits : std::numeric_limits<int64_t>::min() - bits; // both zeros are 0
}
int64_t order32(double value) {
  const int32_t bits = std::bit_cast<int32_t>(float(value));
  return bits >= 0 ? bits : std::numeric_limits<int32_t>::min() - bits;
}

Int128 order_of(BinaryFormat format, Bits bits) {
  const Int128 rank = Int128(format.magnitude(bits));
  return format.is_negative(bits) ? -rank : rank;
}

double apart(Int128 a, Int128 b) { return double(a < b ? Uint128(b) - Uint128(a) : Uint128(a) - Uint128(b)); }

double between(Int128 low, Int128 value, Int128 high) {
  return double(value < low ? low - value : value > high ? value - high : 0);
}

double same_distance(bool wanted, BinaryFormat format, Bits a, Bits b) {
  const bool equal = a == b || (format.is_nan(a) && format.is_nan(b));
  if (equal == wanted)
    return 0;
  if (!wanted)
    return logarithmic(1);
  if (format.is_nan(a) || format.is_nan(b))
    return far;
  return logarithmic(apart(format.order(a), format.order(b)));
}

} // namespace

double comparison_distance(Op op, double a, double b, bool single) {
  if (a != a || b != b)
    return ops::is_unordered(op) ? 0 : far;
  const uint64_t x = uint64_t(single ? order32(a) : order64(a)), y = uint64_t(single ? order32(b) : order64(b));
  return distance_of(op, ops::order_between(a, b), double(a < b ? y - x : x - y));
}

double comparison_distance(Op op, BinaryFormat format, Bits a, Bits b) {
  if (format.is_nan(a) || format.is_nan(b))
    return ops::is_unordered(op) ? 0 : far;
  const Int128 x = order_of(format, a), y = order_of(format, b);
  return distance_of(op, ops::order_between(x, y), apart(x, y));
}

double class_distance(bool wanted, Class tested, BinaryFormat format, Bits a) {
  if (constraint::is(tested, format, a) == wanted)
    return 0;
  if (format.is_nan(a) || tested == Class::nan)
    return far;
  const Int128 magnitude = Int128(format.magnitude(a)), normal = Int128(format.smallest_normal()),
               infinity = Int128(format.infinity());
  switch (tested) {
  case Class::normal:
    return wanted ? logarithmic(between(normal, magnitude, infinity - 1))
                  : logarithmic(double(std::min(magnitude - normal + 1, infinity - magnitude)));
  case Class::subnormal:
    return wanted ? logarithmic(between(1, magnitude, normal - 1))
                  : logarithmic(double(std::min(magnitude, normal - magnitude)));
  case Class::zero:
    return wanted ? logarithmic(double(magnitude)) : logarithmic(1);
  case Class::infinite:
    return wanted ? logarithmic(double(infinity - magnitude)) : logarithmic(1);
  default: // the sign
    return logarithmic(double(magnitude) + 1);
  }
}

constexpr double impossible = 1000;

Violation::Violation(const System& system) : Violation(system, goals_of(system)) {}

Violation::Violation(const System& system, Goals read)
    : system_(system), goals_(std::move(read.goals)), roots_(std::move(read.roots)), compiled_(system, read.terms) {
  for (Goal& goal : goals_) {
    if (goal.a != Compiled::none)
      goal.a = compiled_.slot_of(goal.a);
    if (goal.b != Compiled::none)
      goal.b = compiled_.slot_of(goal.b);
  }
  reset_weights();
  list_dependents();
}

void Violation::list_dependents() {
  const size_t variables = system_.variables().size();
  goals_of_.resize(variables);
  assertions_of_.resize(variables);
  supports_.resize(goals_.size());
  if (compiled_.too_large())
    return;
  // Goals that depend on a slot or contain a goal; assertions that are a goal.
  std::vector<std::vector<uint32_t>> at_slot(compiled_.size()), wholes(goals_.size()), places(goals_.size());
  for (uint32_t i = 0; i < goals_.size(); ++i) {
    for (const Compiled::Slot slot : {goals_[i].a, goals_[i].b})
      if (slot != Compiled::none)
        at_slot[slot].push_back(i);
    for (const uint32_t part : goals_[i].parts)
      wholes[part].push_back(i);
  }
  for (uint32_t i = 0; i < roots_.size(); ++i)
    places[roots_[i]].push_back(i);
  std::vector<size_t> reached(goals_.size(), variables);
  for (size_t variable = 0; variable < variables; ++variable) {
    std::vector<uint32_t>& found = goals_of_[variable];
    const auto reach = [&](const std::vector<uint32_t>& goals) {
      for (const uint32_t goal : goals)
        if (std::exchange(reached[goal], variable) != variable)
          found.push_back(goal);
    };
    reach(at_slot[compiled_.slot_of_variable(variable)]);
    for (const Compiled::Slot slot : compiled_.dependents(variable))
      reach(at_slot[slot]);
    for (size_t i = 0; i < found.size(); ++i)
      reach(wholes[found[i]]);
    std::sort(found.begin(), found.end());
    for (const uint32_t goal : found) {
      supports_[goal].push_back(uint32_t(variable));
      for (const uint32_t place : places[goal])
        assertions_of_[variable].push_back(place);
    }
  }
}

double Violation::distance(const Goal& goal, const State& state) const {
  const auto& numbers = state.values.number;
  const auto bits = [&](Compiled::Slot slot) { return compiled_.bits(slot, state.values); };
  double result = 0;
  switch (goal.kind) {
  case Goal::Kind::fixed:
    return goal.wanted ? 0 : impossible;
  case Goal::Kind::compare:
    if (is_native(goal.sort))
      return comparison_distance(goal.op, numbers[goal.a], numbers[goal.b], goal.sort.format == numeric::binary32);
    return comparison_distance(goal.op, goal.sort.format, bits(goal.a), bits(goal.b));
  case Goal::Kind::same:
    return same_distance(goal.wanted, goal.sort.format, bits(goal.a), bits(goal.b));
  case Goal::Kind::classify:
    return class_distance(goal.wanted, goal.tested, goal.sort.format, bits(goal.a));
  case Goal::Kind::boolean:
    return (numbers[goal.a] != 0) == goal.wanted ? 0 : 1;
  case Goal::Kind::every:
    for (const uint32_t part : goal.parts)
      result += state.distances[part];
    return result;
  case Goal::Kind::some:
    result = state.distances[goal.parts.front()];
    for (const uint32_t part : goal.parts)
      result = std::min(result, state.distances[part]);
    return result;
  }
  return result;
}

void Violation::settle(State& state) const {
  state.score = {};
  for (size_t i = 0; i < roots_.size(); ++i) {
    const double distance = state.distances[roots_[i]];
    state.score.unsatisfied += distance != 0;
    state.score.cost += weights_[i] * distance;
  }
}

Violation::State Violation::at(const Model& point) const {
  State state;
  move(state, point);
  return state;
}

void Violation::move(State& state, const Model& point) const {
  state.point = point;
  compiled_.evaluate(point, state.values);
  state.distances.resize(goals_.size());
  for (size_t i = 0; i < goals_.size(); ++i)
    state.distances[i] = distance(goals_[i], state);
  settle(state);
  work_ += compiled_.size() + goals_.size();
}

// Updates the score by differences. Its cost may drift by roundings until `settle`.
void Violation::update(State& state, size_t variable, Bits bits) const {
  compiled_.assign(compiled_.slot_of_variable(variable), bits, state.values);
  compiled_.compute(compiled_.dependents(variable), state.values);
  for (const uint32_t place : assertions_of_[variable]) {
    const double distance = state.distances[roots_[place]];
    state.score.unsatisfied -= distance != 0;
    state.score.cost -= weights_[place] * distance;
  }
  for (const uint32_t goal : goals_of_[variable])
    state.distances[goal] = distance(goals_[goal], state);
  for (const uint32_t place : assertions_of_[variable]) {
    const double distance = state.distances[roots_[place]];
    state.score.unsatisfied += distance != 0;
    state.score.cost += weights_[place] * distance;
  }
  work_ += work_of_move(variable);
}

void Violation::move(State& state, size_t variable, Bits bits) const {
  state.point[variable] = bits;
  update(state, variable, bits);
  settle(state);
}

Score Violation::probe(State& state, size_t variable, Bits bits) {
  const Score before = state.score;
  const auto slots = compiled_.dependents(variable);
  const auto& goals = goals_of_[variable];
  const bool general = !state.values.bits.empty();
  saved_numbers_.clear();
  saved_bits_.clear();
  saved_distances_.clear();
  for (const Compiled::Slot slot : slots) {
    saved_numbers_.push_back(state.values.number[slot]);
    if (general)
      saved_bits_.push_back(state.values.bits[slot]);
  }
  for (const uint32_t goal : goals)
    saved_distances_.push_back(state.distances[goal]);
  update(state, variable, bits);
  const Score after = state.score;
  state.score = before;
  compiled_.assign(compiled_.slot_of_variable(variable), state.point[variable], state.values);
  for (size_t i = 0; i < slots.size(); ++i) {
    state.values.number[slots[i]] = saved_numbers_[i];
    if (general)
      state.values.bits[slots[i]] = saved_bits_[i];
  }
  for (size_t i = 0; i < goals.size(); ++i)
    state.distances[goals[i]] = saved_distances_[i];
  return after;
}

uint64_t Violation::work_of_all_moves() const {
  uint64_t work = 0;
  for (size_t variable = 0; variable < goals_of_.size(); ++variable)
    work += work_of_move(variable);
  return work;
}

void Violation::reset_weights() { weights_.assign(roots_.size(), 1); }

void Violation::raise_weights(State& state) {
  for (size_t i = 0; i < roots_.size(); ++i)
    if (state.distances[roots_[i]] != 0)
      weights_[i] += 1;
  settle(state);
  work_ += roots_.size();
}

} // namespace faultline::solve
