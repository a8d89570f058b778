#include "solve/newton/lattice.h"

#include <algorithm>

namespace faultline::solve {

using constraint::Bits;
using numeric::Int128;
using numeric::Uint128;
using State = Violation::State;

// From a failing assertion down: what must hold and fails, or one of the alternatives, mostly the nearest.
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
  // All of them, or a few: thorough where few variables matter, quick where many do.
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
  constraint::Model best = state.point;
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
