#include "solve/newton/starts.h"

#include "constraint/evaluate.h"
#include "ops/op.h"
#include "solve/newton/definitions.h"
#include "solve/newton/descent.h"
#include "solve/newton/lattice.h"
#include "solve/solver.h"

#include <algorithm>
#include <cmath>
#include <memory>

namespace faultline::solve {

using numeric::Int128;
using numeric::Uint128;

Bits Range::nearest(double value) const {
  if (std::isnan(value))
    return nan ? format.nan() : format.at(low);
  const Bits bits = numeric::bits_of(numeric::Value(value), format);
  return nearest(format.order(bits));
}

namespace {

class BoxReading {
public:
  explicit BoxReading(const System& system) : system_(system) {
    for (const constraint::Variable& variable : system.variables()) {
      const Sort& sort = system.sort(variable.term);
      box_.push_back(sort.boolean ? Range{{}, true, 0, 1, false}
                                  : Range{sort.format, false, sort.format.lowest(), sort.format.highest(), true});
    }
  }

  Box read() {
    for (const Term assertion : system_.assertions()) {
      const Node& node = system_.node(assertion);
      if (node.form == Form::negation)
        read_atom(system_.node(node.operands[0]), false);
      else
        read_atom(node, true);
    }
    return std::move(box_);
  }

private:
  void read_atom(const Node& node, bool wanted) {
    if (node.form == Form::classification)
      return read_class(node.tested, node.operands[0], wanted);
    if (node.form != Form::comparison && node.form != Form::same)
      return;
    const auto [a, b, unused] = node.operands;
    for (const auto& [variable, constant, swapped] : {std::tuple(a, b, false), std::tuple(b, a, true)}) {
      if (system_.node(constant).form != Form::constant || system_.sort(constant).boolean)
        continue;
      if (node.form == Form::same)
        read_same(variable, constant, wanted);
      else
        read_comparison(wanted ? node.op : ops::opposite(node.op), variable, constant, swapped);
    }
  }

  void read_class(Class tested, Term term, bool wanted) {
    const BinaryFormat format = system_.sort(term).format;
    if (tested == Class::nan && !wanted)
      forbid_nan(term);
    if (tested == Class::infinite && !wanted) {
      at_least(term, format.order(format.largest() | format.sign()));
      at_most(term, format.order(format.largest()));
    }
    if (!wanted)
      return;
    if (tested != Class::nan)
      forbid_nan(term);
    const Bits largest = tested == Class::normal      ? format.largest()
                         : tested == Class::subnormal ? format.smallest_normal() - 1
                         : tested == Class::zero      ? 0
                                                      : format.infinity();
    if (tested != Class::positive)
      at_least(term, format.order(largest | format.sign()));
    else
      at_least(term, 0);
    at_most(term, tested == Class::negative ? -1 : format.order(largest));
  }

  void read_same(Term term, Term constant, bool wanted) {
    const BinaryFormat format = system_.sort(constant).format;
    const Bits value = system_.node(constant).value;
    if (!wanted || format.is_nan(value))
      return;
    forbid_nan(term);
    at_least(term, format.order(value));
    at_most(term, format.order(value));
  }

  void read_comparison(Op op, Term term, Term constant, bool swapped) {
    const BinaryFormat format = system_.sort(constant).format;
    const Bits value = system_.node(constant).value;
    const auto holds_for = [&](int order) {
      return constraint::holds(op, numeric::binary64, numeric::bits_of(double(swapped ? -order : order)), 0);
    };
    if (format.is_nan(value))
      return;
    if (!constraint::holds(op, format, format.nan(), value))
      forbid_nan(term);
    // If the constant is a zero, both zeros match it.
    const Int128 low = format.is_zero(value) ? -1 : format.order(value), high = format.is_zero(value) ? 0 : low;
    if (!holds_for(1))
      at_most(term, holds_for(0) ? high : low - 1);
    if (!holds_for(-1))
      at_least(term, holds_for(0) ? low : high + 1);
  }

  // Returns the variable below negations and conversions, or null.
  const Node* variable_under(Term term, std::vector<const Node*>& steps) const {
    const Node* node = &system_.node(term);
    while (node->form == Form::operation &&
           (node->op == Op::fneg || node->op == Op::fptrunc || node->op == Op::fpext)) {
      steps.push_back(node);
      node = &system_.node(node->operands[0]);
    }
    return node->form == Form::variable && !node->sort.boolean ? node : nullptr;
  }

  void forbid_nan(Term term) {
    std::vector<const Node*> steps;
    if (const Node* variable = variable_under(term, steps))
      box_[size_t(variable->value)].nan = false;
  }
  void at_most(Term term, Int128 bound) { limit(term, bound, true); }
  void at_least(Term term, Int128 bound) { limit(term, bound, false); }

  void limit(Term term, Int128 bound, bool from_above) {
    std::vector<const Node*> steps;
    const Node* variable = variable_under(term, steps);
    if (!variable)
      return;
    Range& range = box_[size_t(variable->value)];
    const auto inside = [&](Int128 number) {
      const Int128 image = image_of(range.format.at(number), range.format, steps);
      return from_above ? image <= bound : image >= bound;
    };
    const bool falls =
        std::count_if(steps.begin(), steps.end(), [](const Node* step) { return step->op == Op::fneg; }) % 2;
    const bool cut_top = from_above != falls;
    // The last number inside, found from the safe end.
    Int128 safe = cut_top ? range.format.lowest() : range.format.highest();
    Int128 other = cut_top ? range.format.highest() : range.format.lowest();
    if (inside(other))
      return;
    if (!inside(safe)) {
      range.low = 1, range.high = 0; // empty
      return;
    }
    const auto distance = [&] { return cut_top ? Uint128(other) - Uint128(safe) : Uint128(safe) - Uint128(other); };
    while (distance() > 1) {
      const Int128 middle = Int128(Uint128(cut_top ? safe : other) + distance() / 2);
      (inside(middle) ? safe : other) = middle;
    }
    if (cut_top)
      range.high = std::min(range.high, safe);
    else
      range.low = std::max(range.low, safe);
  }

  static Int128 image_of(Bits bits, BinaryFormat format, const std::vector<const Node*>& steps) {
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
      bits = constraint::evaluate(**step, constraint::float_sort(format), {bits, 0, 0});
      format = (*step)->sort.format;
    }
    return format.order(bits);
  }

  const System& system_;
  Box box_;
};

double end(const Range& range, Int128 number) { return numeric::double_of(range.format.at(number), range.format); }

// Infinite ends become the largest floats.
double low(const Range& range) {
  return end(range, std::max(range.low, range.format.order(range.format.largest() | range.format.sign())));
}
double high(const Range& range) { return end(range, std::min(range.high, Int128(range.format.largest()))); }

} // namespace

Box box_of(const System& system) { return BoxReading(system).read(); }

Starts::Starts(const System& system, const Box& box, std::vector<Model> near, numeric::Rng rng)
    : box_(box), near_(std::move(near)), rng_(rng) {
  for (const Node& node : system.nodes())
    if (node.form == Form::constant && !node.sort.boolean)
      constants_.push_back(numeric::double_of(node.value, node.sort.format));
  std::erase_if(constants_, [](double value) { return std::isnan(value); });
  std::sort(constants_.begin(), constants_.end());
  constants_.erase(std::unique(constants_.begin(), constants_.end()), constants_.end());
}

Model Starts::everywhere(double value) const {
  Model result;
  for (const Range& range : box_)
    result.push_back(range.boolean ? Bits(value > 0) : range.nearest(value));
  return result;
}

Model Starts::next() {
  const size_t place = count_++;
  if (place < near_.size())
    return near_[place];
  Model result = everywhere(0);
  switch (place - near_.size()) {
  case 0:
    return result;
  case 1:
    return everywhere(1);
  case 2:
    return everywhere(-1);
  case 3: // the middle
    for (size_t i = 0; i < box_.size(); ++i)
      if (!box_[i].boolean)
        result[i] = box_[i].nearest(low(box_[i]) / 2 + high(box_[i]) / 2);
    return result;
  case 4:
  case 5: // the ends
    for (size_t i = 0; i < box_.size(); ++i)
      if (!box_[i].boolean)
        result[i] = box_[i].nearest(place - near_.size() == 4 ? low(box_[i]) : high(box_[i]));
    return result;
  default:
    break;
  }
  // All variables in one way, or each in its own.
  const bool uniformly = rng_.below(3) == 0;
  for (size_t i = 0; i < box_.size(); ++i)
    result[i] = uniformly && !box_[i].boolean ? uniform(box_[i]) : drawn(i);
  if (rng_.coin() && result.size() > 1) {
    const size_t i = rng_.below(result.size()), k = rng_.below(result.size());
    if (box_[i].format == box_[k].format && !box_[i].boolean && !box_[k].boolean && !box_[k].format.is_nan(result[k]))
      result[i] = box_[i].nearest(box_[k].format.order(result[k]));
  }
  return result;
}

Bits Starts::drawn(size_t variable) {
  const Range& range = box_[variable];
  if (range.boolean)
    return Bits(rng_.coin());
  if (range.low > range.high)
    return range.format.nan();
  switch (rng_.below(8)) {
  case 0:
  case 1:
  case 2:
    return uniform(range);
  case 3:
  case 4:
    return by_exponent(range);
  case 5:
    if (!constants_.empty()) {
      const double constant = constants_[rng_.below(constants_.size())];
      return range.nearest(rng_.coin() ? constant : -constant);
    }
    return uniform(range);
  case 6:
    return range.nearest(double(rng_.below(21)) - 10);
  default: {
    const double special[] = {0.0, -0.0, HUGE_VAL, -HUGE_VAL, NAN};
    return range.nearest(special[rng_.below(5)]);
  }
  }
}

// Draws a real from a bounded range. For an unbounded range, where that would always be huge, draws a moderate size.
Bits Starts::uniform(const Range& range) {
  if (range.bounded())
    return range.nearest(rng_.uniform(low(range), high(range)));
  const double size = std::ldexp(1, int(rng_.below(24)));
  return range.nearest(rng_.uniform(-size, size));
}

Bits Starts::by_exponent(const Range& range) {
  const numeric::Uint128 width = numeric::Uint128(range.high) - numeric::Uint128(range.low) + 1;
  const numeric::Uint128 random = numeric::Uint128(rng_.next()) << 64 | rng_.next();
  return range.format.at(Int128(numeric::Uint128(range.low) + (width == 0 ? random : random % width)));
}

// The fast search for a model: removes definitions, then applies Newton-like steps in all variables and an exact local
// search from one start after the other. Never answers unsat.

namespace {

// The search in one form of the system.
class Attempt {
public:
  Attempt(const Question& question, bool machine_equality, const Deadline& deadline)
      : original_(question.system), reduced_(without_definitions(question.system, machine_equality)),
        box_(box_of(reduced_.system)), violation_(reduced_.system), rng_(numeric::Rng(question.seed).fork("newton")),
        starts_(reduced_.system, box_, restricted_all(question), rng_.fork("starts")),
        lattice_(violation_, box_, starts_, rng_.fork("lattice"), deadline), deadline_(deadline) {}

  bool lossy() const { return reduced_.lossy; }
  bool too_large() const { return violation_.compiled().too_large(); }
  // True if an assertion became false: this form has no model.
  bool hopeless() const {
    const auto& assertions = reduced_.system.assertions();
    return std::any_of(assertions.begin(), assertions.end(),
                       [&](Term term) { return reduced_.system.node(term).form == Form::constant; });
  }

  uint64_t work() const { return work_; } // so far, in its own units

  // The number of assertions that fail at the best point.
  uint32_t fewest() const { return best_.score.unsatisfied; }

  // Runs from the next start. Budgets follow Luby's sequence: many short searches, few long ones.
  std::optional<Model> run() {
    const uint64_t budget = unit_ * luby(++count_);
    work_ += budget;
    Violation::State state;
    if (count_ % 3 == 0)
      return finish(again(budget));
    const Model start = starts_.next();
    violation_.move(state, start);
    if (state.score.unsatisfied != 0 && !lattice_.search(state, budget / 8)) {
      violation_.move(state, start);
      descend(violation_, box_, state, budget, count_ > 8 && count_ % 2 == 0 ? &rng_ : nullptr, deadline_);
    }
    if (state.score.unsatisfied != 0)
      lattice_.search(state, budget);
    return finish(std::move(state));
  }

private:
  // Continues from the best point so far, after a kick.
  Violation::State again(uint64_t budget) {
    Violation::State state = best_;
    lattice_.kick(state);
    lattice_.search(state, 2 * budget);
    return state;
  }

  std::optional<Model> finish(Violation::State state) {
    if (best_.point.empty() || state.score.unsatisfied <= best_.score.unsatisfied)
      best_ = state;
    if (state.score.unsatisfied != 0)
      return std::nullopt;
    Model model = reduced_.complete(state.point);
    return satisfies(original_, model) ? std::optional(std::move(model)) : std::nullopt;
  }

  std::vector<Model> restricted_all(const Question& question) const {
    std::vector<Model> result;
    for (const Model& model : question.near)
      result.push_back(restricted(question.system, reduced_, model));
    return result;
  }

  // Enough to move each variable a few times.
  static uint64_t unit_of(const Violation& violation) {
    constexpr uint64_t least = 200'000, moves = 40;
    return std::max(least, moves * violation.work_of_all_moves());
  }

  static uint64_t luby(uint64_t i) {
    for (uint64_t k = 1;; ++k) {
      if (i == (uint64_t{1} << k) - 1)
        return uint64_t{1} << (k - 1);
      if (i < (uint64_t{1} << k) - 1)
        return luby(i - (uint64_t{1} << (k - 1)) + 1);
    }
  }

  const System& original_;
  Reduced reduced_;
  Box box_;
  Violation violation_;
  numeric::Rng rng_;
  Starts starts_;
  Lattice lattice_;
  const Deadline& deadline_;
  const uint64_t unit_ = unit_of(violation_);
  uint64_t count_ = 0, work_ = 0;
  Violation::State best_; // the point with the fewest failing assertions
};

} // namespace

Result solve_newton(const Question& question) {
  constexpr uint64_t work_an_effort = 64; // about as long as one projection
  const Deadline deadline(question.seconds);
  std::vector<std::unique_ptr<Attempt>> attempts;
  attempts.push_back(std::make_unique<Attempt>(question, true, deadline));
  if (attempts.front()->lossy())
    attempts.push_back(std::make_unique<Attempt>(question, false, deadline));
  std::erase_if(attempts, [](const auto& attempt) { return attempt->hopeless(); });
  if (attempts.empty())
    return {.solver = "newton", .reason = "the definitions contradict each other"};
  if (std::any_of(attempts.begin(), attempts.end(), [](const auto& attempt) { return attempt->too_large(); }))
    return {.solver = "newton", .reason = "too many terms depend on too many variables"};
  size_t starts = 0;
  while (!deadline.passed() && attempts.front()->work() / work_an_effort < question.effort)
    for (const auto& attempt : attempts) {
      ++starts;
      if (std::optional<Model> model = attempt->run())
        return {.answer = Answer::sat, .model = std::move(*model), .solver = "newton"};
    }
  return {.solver = "newton",
          .reason = "no model found from " + std::to_string(starts) + " starts; the best point fails " +
                    std::to_string(attempts.front()->fewest()) + " assertions"};
}

} // namespace faultline::solve
