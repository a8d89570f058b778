#include "search/fpgen/refinement.h"

#include <algorithm>
#include <cmath>

namespace faultline::search {

using numeric::Int128;

// Guesses; `faultline bench fpgen` shows what they find.
constexpr size_t kept = 12;
constexpr int binades = 32; // of the absolute error per size class: one kind per suspect and size

void Elites::add(const ScoredInput& found) {
  const double size = error_of(found.error, aim_);
  if (!(size > 0))
    return;
  if (best_.size() == kept && size <= error(best_.back()))
    return;
  const auto place = std::find_if(best_.begin(), best_.end(), [&](const Elite& other) { return size >= error(other); });
  if (place != best_.end() && error(*place) == size)
    return; // one per error
  best_.insert(place, {found, 0});
  if (best_.size() > kept)
    best_.pop_back();
}

void Elites::add(const ScoredInput& found, uint32_t suspect) {
  const double size = error_of(found.error, aim_);
  if (!(size > 0))
    return;
  const int exponent = int(std::floor(std::log2(std::max(found.error.absolute, 0x1p-1074)) / binades));
  const auto [place, is_new] = kinds_.try_emplace({suspect, exponent}, Elite{found, 0});
  if (!is_new && size > error(place->second))
    place->second = {found, 0};
}

Elites::Elite* Elites::next(std::vector<Elite>& from) {
  const auto least = std::min_element(from.begin(), from.end(),
                                      [](const Elite& a, const Elite& b) { return a.worked_on < b.worked_on; });
  return least == from.end() ? nullptr : &*least;
}

std::map<uint32_t, ScoredInput> Elites::best_of_suspects() const {
  std::map<uint32_t, ScoredInput> best;
  for (const auto& [kind, elite] : kinds_)
    if (const auto [place, is_new] = best.try_emplace(kind.first, elite.found);
        !is_new && error(elite) > error_of(place->second.error, aim_))
      place->second = elite.found;
  return best;
}

Elites::Elite* Elites::next_of_kinds() {
  Elite* least = nullptr;
  for (auto& [kind, elite] : kinds_)
    if (!least || elite.worked_on < least->worked_on ||
        (elite.worked_on == least->worked_on && error(elite) > error(*least)))
      least = &elite;
  return least;
}

// Guesses; `faultline bench fpgen` shows what they find.
constexpr uint64_t several_one_in = 3;    // moves is followed by another at once
constexpr double even_share = 0.4;        // of the moves, whatever their worth
constexpr double most_gained = 16;        // bits that count, per move
constexpr double forgetting = 0.98;       // the factor on a worth when another move gains
constexpr double least_worth = 0.01;      // the minimum, so that no move is forgotten
constexpr uint64_t irrelevant_one_in = 4; // moves also changes inputs that the worst output does not depend on
constexpr uint64_t scaled_one_in = 3;     // copies is scaled
constexpr uint64_t most_resting = 2;      // inputs that are zero while others are solved
constexpr uint64_t scaling_bits = 8;      // of an exponent: up to 128, from one end of binary32 to 1

constexpr size_t solving = 10; // the only move that is not a step

Refinement::Refinement(Quest& quest, TrueErrors& errors, Cancelling& cancelling)
    : quest_(quest), errors_(errors), cancelling_(cancelling), free_(quest.space.free()) {
  worth_.fill(1);
}

size_t Refinement::choose() {
  if (quest_.rng.uniform() < even_share)
    return quest_.rng.below(moves);
  double sum = 0;
  for (double worth : worth_)
    sum += worth;
  double draw = quest_.rng.uniform() * sum;
  for (size_t i = 0; i < moves; ++i)
    if ((draw -= worth_[i]) < 0)
      return i;
  return moves - 1;
}

void Refinement::reward(double before, double after) {
  if (!(after > before))
    return;
  const double gain = before > 0 ? std::min(std::log2(after / before), most_gained) : most_gained;
  for (double& worth : worth_)
    worth = worth * forgetting + least_worth;
  for (size_t kind : made_)
    worth_[kind] += gain / double(made_.size());
}

// With many outputs, most inputs do not affect the worst one.
void Refinement::prepare(const ScoredInput& from) {
  relevant_.clear();
  if (!errors_.measure(from.input).usable)
    return;
  for (size_t input : errors_.inputs_of(from.error.output))
    if (std::binary_search(free_.begin(), free_.end(), input))
      relevant_.push_back(input);
}

size_t Refinement::any() {
  const std::vector<size_t>& from = relevant_.empty() || quest_.rng.below(irrelevant_one_in) == 0 ? free_ : relevant_;
  return from[quest_.rng.below(from.size())];
}

// An exponent to scale by: small ones are as likely as those that lead from one end of a format to the other.
int Refinement::exponent() {
  const auto size = int(1 + quest_.rng.below(uint64_t(1) << quest_.rng.below(scaling_bits)));
  return quest_.rng.coin() ? size : -size;
}

// Moves up or down by some floats of its format.
void Refinement::nudge(exec::Input& input, size_t dimension, int most_bits) {
  const Dimension& moving = quest_.space.dimensions[dimension];
  const uint64_t size = 1 + quest_.rng.below(uint64_t(1) << quest_.rng.below(uint64_t(most_bits)));
  const Int128 order = moving.order(input[dimension]) + (quest_.rng.coin() ? Int128(size) : -Int128(size));
  input[dimension] = moving.at_within(order);
}

void Refinement::scale(exec::Input& input, size_t dimension, int exponent) {
  const Dimension& moving = quest_.space.dimensions[dimension];
  if (const Value value = std::ldexp(input[dimension], exponent); value >= moving.low && value <= moving.high)
    input[dimension] = moving.nearest(value);
}

// Copies another input's value, possibly negated or scaled.
void Refinement::copy(exec::Input& input) {
  const size_t to = any();
  Value value = input[any()];
  if (quest_.rng.coin())
    value = -value;
  if (quest_.rng.below(scaled_one_in) == 0)
    value = std::ldexp(value, exponent());
  input[to] = quest_.space.dimensions[to].nearest(value);
}

// In dimensions that differ, each gets the nearest value.
void Refinement::swap(exec::Input& input, size_t one, size_t other) {
  const Value value = input[one];
  input[one] = quest_.space.dimensions[one].nearest(input[other]);
  input[other] = quest_.space.dimensions[other].nearest(value);
}

// Copies a row, a column or another part of an array to another place.
void Refinement::copy_block(exec::Input& input) {
  const size_t count = input.size();
  const size_t stride = quest_.rng.coin() ? 1 : 1 + quest_.rng.below(count);
  const size_t length = 1 + quest_.rng.below(count / stride + 1);
  const size_t from = quest_.rng.below(count), to = quest_.rng.below(count);
  const uint64_t signs = quest_.rng.below(3); // unchanged, negated, or either
  const int shift = quest_.rng.coin() ? 0 : exponent();
  const exec::Input before = input;
  for (size_t i = 0; i < length; ++i) {
    const size_t source = (from + i * stride) % count, target = (to + i * stride) % count;
    const Dimension& moving = quest_.space.dimensions[target];
    const bool opposite = signs == 1 || (signs == 2 && quest_.rng.coin());
    if (!moving.held())
      input[target] = moving.nearest(std::ldexp(opposite ? -before[source] : before[source], shift));
  }
}

void Refinement::scale_some(exec::Input& input) {
  const int shift = exponent();
  const size_t stride = 1 + quest_.rng.below(free_.size()), length = 1 + quest_.rng.below(free_.size());
  for (size_t i = quest_.rng.below(free_.size()), done = 0; i < free_.size() && done < length; i += stride, ++done)
    scale(input, free_[i], shift);
}

void Refinement::step(exec::Input& input, size_t kind) {
  numeric::Rng& rng = quest_.rng;
  const size_t dimension = any();
  const Dimension& moving = quest_.space.dimensions[dimension];
  switch (kind) {
  case 0:
    nudge(input, dimension, numeric::info(moving.format).precision);
    break;
  case 1:
    nudge(input, dimension, 2);
    nudge(input, any(), 2);
    break;
  case 2:
    scale(input, dimension, exponent());
    break;
  case 3:
    input[dimension] = quest_.space.sample_floats(rng)[dimension];
    break;
  case 4:
    input[dimension] = sample_structured(quest_.space, rng)[dimension];
    break;
  case 5:
    copy(input);
    break;
  case 6:
    copy_block(input);
    break;
  case 7:
    scale_some(input);
    break;
  case 8:
    swap(input, dimension, any());
    break;
  default:
    input[dimension] = moving.nearest(-input[dimension]);
  }
}

ScoredInput Refinement::moved(const ScoredInput& from) {
  ScoredInput next{from.input, {}};
  numeric::Rng& rng = quest_.rng;
  made_.clear();
  bool solve = false;
  do {
    made_.push_back(choose());
    if (made_.back() == solving)
      solve = true;
    else
      step(next.input, made_.back());
  } while (rng.below(several_one_in) == 0);
  if (solve) { // after the steps: restores the cancellation in another input
    const double targets[] = {0, errors_.floor() * above_floor, -errors_.floor() * above_floor};
    next.error = cancelling_.solve(next.input, from.error.output, targets[rng.below(3)], rng.below(most_resting + 1));
    return next;
  }
  next.error = errors_.measure(next.input);
  return next;
}

} // namespace faultline::search
