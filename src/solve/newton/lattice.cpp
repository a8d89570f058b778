#include "solve/newton/lattice.h"

#include "ops/op.h"
#include "ops/table.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline::solve {

using numeric::Int128;
using numeric::Rng;
using numeric::Uint128;

using Slot = Compiled::Slot;
using State = Violation::State;

namespace {

// Returns the value of operand `which` that gives `target`, with the others fixed.
double inverse(Op op, int which, double a, double b, double c, double result, double target) {
  if (ops::rounding_of(op))
    return target;
  if (ops::is_arithmetic(op))
    switch (Arithmetic(op)) {
    case Arithmetic::fadd:
      return target - (which == 0 ? b : a);
    case Arithmetic::fsub:
      return which == 0 ? target + b : a - target;
    case Arithmetic::fmul:
      return target / (which == 0 ? b : a);
    case Arithmetic::fdiv:
      return which == 0 ? target * b : a / target;
    case Arithmetic::fma:
      return which == 2 ? target - a * b : (target - c) / (which == 0 ? b : a);
    case Arithmetic::sqrt:
      return target * target;
    case Arithmetic::fneg:
      return -target;
    case Arithmetic::fabs:
      return std::copysign(target, a);
    case Arithmetic::fptrunc:
    case Arithmetic::fpext:
      return target;
    case Arithmetic::remainder:
    case Arithmetic::fmin:
    case Arithmetic::fmax:
    case Arithmetic::fdim:
    case Arithmetic::copysign:
    case Arithmetic::round_add:
    case Arithmetic::round_sub:
    case Arithmetic::round_fma:
      break; // by the slope, like functions
    }
  const double slope = ops::partials(op, a, b, c, result)[which], operand = which == 0 ? a : which == 1 ? b : c;
  return slope != 0 ? operand + (target - result) / slope : target;
}

class Descent {
public:
  Descent(const Violation& violation, const State& state, const Box& box, Rng& rng, std::vector<Move>& moves)
      : compiled_(violation.compiled()), values_(state.values.number), box_(box), rng_(rng), moves_(moves) {}

  void carry(Slot slot, double target) {
    while (compiled_.at(slot).varies) {
      const Compiled::Instruction& code = compiled_.at(slot);
      if (code.kernel == Compiled::Kernel::variable)
        return propose(compiled_.variable_of(slot), target);
      if (code.sort.boolean)
        return;
      int which = chosen_operand(code);
      if (which < 0)
        return;
      const auto value = [&](int i) { return i < code.operand_count ? values_[code.operands[i]] : 0; };
      if (!code.operand_sort.boolean)
        target = inverse(code.op, which, value(0), value(1), value(2), values_[slot], target);
      slot = code.operands[which];
    }
  }

private:
  int chosen_operand(const Compiled::Instruction& code) {
    if (code.operand_sort.boolean) // a choice
      return values_[code.operands[0]] != 0 ? 1 : 2;
    std::array<int, 3> varying{};
    int count = 0;
    for (int i = 0; i < code.operand_count; ++i)
      if (compiled_.at(code.operands[i]).varies)
        varying[count++] = i;
    return count == 0 ? -1 : varying[rng_.below(count)];
  }

  void propose(size_t variable, double target) {
    const Range& range = box_[variable];
    if (range.boolean || range.low > range.high)
      return;
    const Bits middle = range.nearest(target);
    moves_.push_back({variable, middle});
    if (range.format.is_nan(middle))
      return;
    for (const int step : {-1, 1})
      moves_.push_back({variable, range.nearest(range.format.order(middle) + step)});
  }

  const Compiled& compiled_;
  const std::vector<double>& values_;
  const Box& box_;
  Rng& rng_;
  std::vector<Move>& moves_;
};

double stepped(double value, BinaryFormat format, int direction) {
  const double spacing = std::ldexp(std::max(std::fabs(value), 1e-300), 1 - format.significand_bits);
  return format == numeric::binary64 ? std::nextafter(value, direction * std::numeric_limits<double>::infinity())
                                     : value + direction * spacing;
}

// Returns the wanted value of `side` (0 or 1) of a comparison, given the other side.
double wanted_value(const Goal& goal, int side, double self, double other) {
  const int sign = side == 0 ? 1 : -1;
  const auto next = [&](int direction) { return stepped(other, goal.sort.format, direction); };
  const bool below = ops::holds(goal.op, ops::trait::less), above = ops::holds(goal.op, ops::trait::greater),
             equal = ops::holds(goal.op, ops::trait::equal);
  if (below && above && equal) // cmp_ord
    return 1;
  if (equal)
    return other;
  if (below && above)
    return next(self < other ? -1 : 1);
  return below ? next(-sign) : above ? next(sign) : std::numeric_limits<double>::quiet_NaN();
}

double wanted_value(const Goal& goal, double self) {
  switch (goal.tested) {
  case Class::normal:
    return goal.wanted ? std::copysign(1.0, self) : 0.0;
  case Class::subnormal:
    return goal.wanted ? std::ldexp(1, goal.sort.format.min_exponent() - goal.sort.format.fraction_bits()) : 1.0;
  case Class::zero:
    return goal.wanted ? 0.0 : 1.0;
  case Class::infinite:
    return goal.wanted ? std::numeric_limits<double>::infinity() : 1.0;
  case Class::nan:
    return goal.wanted ? std::numeric_limits<double>::quiet_NaN() : 1.0;
  case Class::negative:
    return goal.wanted ? -std::fabs(self) : std::fabs(self);
  case Class::positive:
    return goal.wanted ? std::fabs(self) : -std::fabs(self);
  }
  return 0;
}

} // namespace

void propose_inverted(const Violation& violation, const State& state, const Box& box, const Goal& atom, Rng& rng,
                      std::vector<Move>& moves) {
  const auto& values = state.values.number;
  Descent descent(violation, state, box, rng, moves);
  constexpr int descents = 3;
  switch (atom.kind) {
  case Goal::Kind::boolean:
    moves.push_back({violation.compiled().variable_of(atom.a), Bits(atom.wanted)});
    break;
  case Goal::Kind::classify:
    for (int i = 0; i < descents; ++i)
      descent.carry(atom.a, wanted_value(atom, values[atom.a]));
    break;
  case Goal::Kind::same:
  case Goal::Kind::compare:
    for (int i = 0; i < descents; ++i)
      for (const int side : {0, 1}) {
        const Slot self = side == 0 ? atom.a : atom.b, other = side == 0 ? atom.b : atom.a;
        const bool differ = atom.kind == Goal::Kind::same && !atom.wanted;
        descent.carry(self, differ ? stepped(values[other], atom.sort.format, 1)
                                   : wanted_value(atom, side, values[self], values[other]));
      }
    break;
  default:
    break;
  }
}

using State = Violation::State;

// From a failing assertion downwards: a failing part of a conjunction, or one of the alternatives, usually the nearest.
uint32_t Lattice::failing_atom(const State& state) {
  failing_.clear();
  for (const uint32_t assertion : violation_.assertions())
    if (state.distances[assertion] != 0)
      failing_.push_back(assertion);
  uint32_t goal = failing_[rng_.below(failing_.size())];
  while (!violation_.goals()[goal].is_atom()) {
    const Goal& node = violation_.goals()[goal];
    failing_.clear();
    for (const uint32_t part : node.parts)
      if (state.distances[part] != 0)
        failing_.push_back(part);
    goal = failing_[rng_.below(failing_.size())];
    if (node.kind == Goal::Kind::some && rng_.below(3) != 0)
      goal = *std::min_element(failing_.begin(), failing_.end(),
                               [&](uint32_t a, uint32_t b) { return state.distances[a] < state.distances[b]; });
  }
  return goal;
}

void Lattice::propose_steps(const State& state, size_t variable) {
  const Range& range = box_[variable];
  if (range.boolean) {
    moves_.push_back({variable, state.point[variable] ^ 1});
    return;
  }
  if (range.low > range.high)
    return;
  moves_.push_back({variable, starts_.drawn(variable)});
  if (range.format.is_nan(state.point[variable]))
    return;
  const Int128 here = range.format.order(state.point[variable]);
  // All of them or a few: thorough for few variables, quick for many.
  const uint64_t one_in = rng_.coin() ? 1 : 4;
  const Uint128 below = here > range.low ? Uint128(here) - Uint128(range.low) : 0;
  const Uint128 above = here < range.high ? Uint128(range.high) - Uint128(here) : 0;
  for (int k = 0; k + 1 < range.format.width(); ++k) {
    if (rng_.below(one_in) != 0)
      continue;
    const Uint128 size = Uint128{1} << k;
    if (size <= below)
      moves_.push_back({variable, range.format.at(here - Int128(size))});
    if (size <= above)
      moves_.push_back({variable, range.format.at(here + Int128(size))});
  }
  moves_.push_back({variable, range.nearest(-here - 1)});
}

void Lattice::round(State& state) {
  const uint32_t atom = failing_atom(state);
  moves_.clear();
  propose_inverted(violation_, state, box_, violation_.goals()[atom], rng_, moves_);
  const auto& support = violation_.support(atom);
  if (!support.empty())
    propose_steps(state, support[rng_.below(support.size())]);
  std::erase_if(moves_, [&](const Move& move) { return move.bits == state.point[move.variable]; });
  if (moves_.empty())
    return violation_.raise_weights(state);
  Score best;
  const Move* chosen = nullptr;
  uint64_t ties = 1;
  for (const Move& move : moves_) {
    const Score score = violation_.probe(state, move.variable, move.bits);
    if (score.unsatisfied == 0) {
      violation_.move(state, move.variable, move.bits);
      return;
    }
    ties = chosen && score.cost == best.cost ? ties + 1 : 1;
    if (!chosen || score < best || (score.cost == best.cost && rng_.below(ties) == 0)) {
      best = score;
      chosen = &move;
    }
  }
  if (best.cost < state.score.cost - 1e-9)
    return violation_.move(state, chosen->variable, chosen->bits);
  violation_.raise_weights(state);
  if (rng_.below(4) == 0) {
    const Move& any = rng_.coin() ? *chosen : moves_[rng_.below(moves_.size())];
    violation_.move(state, any.variable, any.bits);
  }
}

bool Lattice::search(State& state, uint64_t work) {
  violation_.reset_weights();
  violation_.move(state, state.point);
  const uint64_t end = violation_.work() + work;
  uint32_t fewest = state.score.unsatisfied;
  Model best = state.point;
  while (state.score.unsatisfied != 0 && violation_.work() < end && !deadline_.passed()) {
    round(state);
    if (state.score.unsatisfied < fewest) {
      fewest = state.score.unsatisfied;
      best = state.point;
    }
  }
  violation_.reset_weights();
  violation_.move(state, best);
  return state.score.unsatisfied == 0;
}

void Lattice::kick(State& state) {
  failing_.clear();
  for (const uint32_t assertion : violation_.assertions())
    if (state.distances[assertion] != 0)
      failing_.push_back(assertion);
  for (uint64_t kicks = 1 + rng_.below(4); kicks > 0 && !failing_.empty(); --kicks) {
    const auto& support = violation_.support(failing_[rng_.below(failing_.size())]);
    if (support.empty())
      continue;
    const size_t variable = support[rng_.below(support.size())];
    violation_.move(state, variable, starts_.drawn(variable));
  }
}

} // namespace faultline::solve
