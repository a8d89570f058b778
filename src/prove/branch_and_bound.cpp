#include "prove/branch_and_bound.h"

#include "prove/cut.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace faultline::prove {

void History::note(double seconds, double bound) {
  if (std::isfinite(bound) && (better_.empty() || bound < better_.back().second))
    better_.emplace_back(seconds, bound);
}

double History::seconds_to_within(double share) const {
  if (better_.empty())
    return 0;
  const double enough = better_.back().second * (1 + share);
  return std::ranges::find_if(better_, [&](const auto& at) { return at.second <= enough; })->first;
}

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

constexpr uint64_t between_questions = 64; // boxes: some microseconds each

double floats_in(const Interval& side, Grid grid) {
  const numeric::Format format = std::min(grid.format, numeric::Format::binary64);
  return grid.whole ? side.high - side.low
                    : double(numeric::ordered(side.high, format) - numeric::ordered(side.low, format));
}

double width_of(const Interval& interval) { return interval.high / 2 - interval.low / 2; }

} // namespace

BranchAndBound::BranchAndBound(std::vector<InputDimension> inputs, size_t outputs, double floor, PathOf path_of,
                               bool checkable)
    : paths_(std::move(inputs), floor, std::move(path_of), checkable), inputs_(paths_.inputs()),
      heaps_(outputs * measures), attained_(outputs * measures, 0.0) {
  Box all;
  for (const InputDimension& input : inputs_)
    all.push_back(input.range);
  pending_.push_back({std::move(all), 0, "not enough time"});
}

void BranchAndBound::place_halves(const Pending& whole, size_t input) {
  const double cut = cut_of(whole.box[input], inputs_[input].grid());
  Pending low = whole, high = whole;
  low.box[input].high = cut;
  high.box[input].low = float_above(cut, inputs_[input].grid());
  ++low.splits;
  ++high.splits;
  low.node = uint32_t(nodes_.size());
  high.node = low.node + 1;
  nodes_[whole.node].input = uint32_t(input);
  nodes_[whole.node].cut = cut;
  nodes_[whole.node].parts = low.node;
  nodes_.resize(nodes_.size() + 2);
  if (paths_.has_settled_integers(whole.box)) {
    pending_.push_back(std::move(low));
    pending_.push_back(std::move(high));
  } else { // one value after the other, so that some have a bound at the time limit
    pending_.push_front(std::move(high));
    pending_.push_front(std::move(low));
  }
}

void BranchAndBound::push(uint32_t leaf) {
  for (size_t heap = 0; heap < heaps_.size(); ++heap) {
    heaps_[heap].push_back(leaf);
    std::push_heap(heaps_[heap].begin(), heaps_[heap].end(),
                   [&](uint32_t a, uint32_t b) { return key(a, heap) < key(b, heap); });
  }
}

double BranchAndBound::key(uint32_t leaf, size_t heap) const {
  return value_of(leaves_[leaf].outputs[heap / measures], Measure(heap % measures));
}

// The side that is widest relative to its original width: splitting it eventually decides every box. Integers come
// first.
std::optional<size_t> BranchAndBound::widest(const Box& box) const {
  std::optional<size_t> widest;
  double most = 0;
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (can_be_cut(box[i], inputs_[i].grid())) {
      if (inputs_[i].whole)
        return i;
      const double whole = width_of(inputs_[i].range), share = whole > 0 ? width_of(box[i]) / whole : 0;
      if (!widest || share > most) {
        most = share;
        widest = i;
      }
    }
  return widest;
}

void BranchAndBound::place_bounded(Pending pending, const StraightCode* code, std::vector<OutputBound> bounds,
                                   std::span<const double> weights) {
  for (size_t i = 0; i < pending.inherited.size(); ++i)
    bounds[i] = better(bounds[i], pending.inherited[i]);
  BoundedBox leaf{std::move(pending.box), code, std::move(bounds), {}, pending.node};
  // Where slopes are not known, the number of floats decides.
  const bool has_slopes = std::ranges::all_of(weights, [](double weight) { return std::isfinite(weight); });
  double most = -1;
  for (size_t i = 0; i < inputs_.size(); ++i) {
    const double weight = has_slopes ? weights[i] : floats_in(leaf.box[i], inputs_[i].grid());
    if (can_be_cut(leaf.box[i], inputs_[i].grid()) && weight > most) {
      most = weight;
      leaf.split = uint32_t(i);
    }
  }
  nodes_[leaf.node].leaf = uint32_t(leaves_.size());
  leaves_.push_back(std::move(leaf));
  push(uint32_t(leaves_.size() - 1));
}

// True for a few wide boxes. Borders without a jump are found early, before there are too many boxes along them.
bool BranchAndBound::may_be_continuous(const Pending& pending, const BranchLimits& limits) const {
  constexpr int last_time = 4; // cuts per input: a guess
  const int inputs = int(free_inputs().size());
  return limits.wide_borders && pending.splits % inputs == 0 && pending.splits <= last_time * inputs;
}

// Adds a bound, or halves that wait for theirs.
void BranchAndBound::place(Pending pending, const BranchLimits& limits) {
  const KnownPaths::Evaluation evaluation = paths_.evaluate(pending.box);
  if (evaluation.verdict == Verdict::bounded) {
    const std::span<const OutputBound> found = paths_.last().outputs();
    return place_bounded(std::move(pending), &paths_.last().code(), {found.begin(), found.end()},
                         paths_.last().weights());
  }
  pending.reason = evaluation.reason;
  const std::optional<size_t> input = widest(pending.box);
  const bool small =
      !input || (limits.wide_borders && (!pending.inherited.empty() ||
                                         pending.splits >= limits.splits_before_borders * int(free_inputs().size())));
  if (evaluation.verdict == Verdict::undecided && (small || may_be_continuous(pending, limits)))
    if (const std::optional<BorderBound> border = paths_.at_border(pending.box);
        border && (small || border->continuous))
      return place_bounded(std::move(pending), nullptr, border->outputs, border->weights);
  if (input && !evaluation.hopeless)
    place_halves(pending, *input);
  else
    open_.push_back({std::move(pending.box), std::move(pending.reason), pending.node});
}

// Gives boxes that were split but not evaluated the bound of the whole.
void BranchAndBound::settle() {
  std::deque<Pending> left;
  for (Pending& pending : pending_)
    if (pending.inherited.empty())
      left.push_back(std::move(pending));
    else
      place_bounded(pending, pending.code, pending.inherited, paths_.last().weights());
  pending_ = std::move(left);
}

void BranchAndBound::attain(const Box& box) {
  const std::vector<double> middle = middle_of(box, inputs_);
  Box point;
  for (const double value : middle)
    point.push_back(Interval::of(value));
  if (paths_.evaluate(point).verdict != Verdict::bounded)
    return;
  const std::span<const OutputBound> bounds = paths_.last().outputs();
  for (size_t heap = 0; heap < heaps_.size(); ++heap)
    attained_[heap] = std::max(attained_[heap], value_of(bounds[heap / measures], Measure(heap % measures)));
}

void BranchAndBound::drop_dead(size_t heap) {
  std::vector<uint32_t>& order = heaps_[heap];
  while (!order.empty() && !leaves_[order.front()].alive) {
    std::pop_heap(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return key(a, heap) < key(b, heap); });
    order.pop_back();
  }
}

// Splits the box with the largest bound. False if it cannot be split.
bool BranchAndBound::refine(size_t output, Measure measure) {
  const size_t heap = heap_of(output, measure);
  drop_dead(heap);
  if (heaps_[heap].empty() || !leaves_[heaps_[heap].front()].split)
    return false;
  const uint32_t worst = heaps_[heap].front();
  attain(leaves_[worst].box);
  split(worst);
  return true;
}

void BranchAndBound::split(uint32_t leaf) {
  BoundedBox& whole = leaves_[leaf];
  whole.alive = false;
  place_halves({std::move(whole.box), 0, "", whole.node, whole.outputs, whole.code}, *whole.split);
}

void BranchAndBound::place_pending(const BranchLimits& limits) {
  Pending next = std::move(pending_.front());
  pending_.pop_front();
  const bool inherits = !next.inherited.empty();
  if (!inherits && (next.splits > limits.most_splits || pending_.size() > limits.most_unbounded))
    open_.push_back({std::move(next.box), std::move(next.reason), next.node});
  else
    place(std::move(next), limits);
}

void BranchAndBound::run(Measure measure, const BranchLimits& limits, const std::function<bool()>& keep_going) {
  const size_t outputs = heaps_.size() / measures;
  uint64_t last_check = evaluated();
  for (size_t output = 0, idle = 0; evaluated() < limits.boxes && idle < outputs;) {
    if (evaluated() - last_check >= between_questions) {
      last_check = evaluated();
      if (!keep_going())
        break;
    }
    if (pending_.empty()) {
      idle = converged(output, measure, limits.tolerance) || !refine(output, measure) ? idle + 1 : 0;
      output = (output + 1) % outputs;
      continue;
    }
    place_pending(limits);
  }
  settle();
}

void BranchAndBound::refine_where(const std::function<bool(const BoundedBox&)>& wanted, const BranchLimits& limits,
                                  const std::function<bool()>& keep_going) {
  for (uint64_t last_check = evaluated(); !pending_.empty() && evaluated() < limits.boxes; place_pending(limits))
    if (evaluated() - last_check >= between_questions) {
      last_check = evaluated();
      if (!keep_going())
        return settle();
    }
  for (uint32_t leaf = 0; leaf < leaves_.size() && evaluated() < limits.boxes; ++leaf) {
    if (leaf % between_questions == 0 && !keep_going())
      break;
    if (!leaves_[leaf].alive || !leaves_[leaf].split || !wanted(leaves_[leaf]))
      continue;
    split(leaf);
    while (!pending_.empty() && evaluated() < limits.boxes)
      place_pending(limits);
  }
  settle();
}

double BranchAndBound::proven(size_t output, Measure measure) const {
  double most = 0;
  for (const BoundedBox& leaf : leaves_)
    if (leaf.alive)
      most = std::max(most, value_of(leaf.outputs[output], measure));
  return leaves_.empty() ? unlimited : most;
}

double BranchAndBound::proven_so_far(size_t output, Measure measure) {
  const size_t heap = heap_of(output, measure);
  drop_dead(heap);
  double most = heaps_[heap].empty() ? 0 : key(heaps_[heap].front(), heap);
  for (const Pending& pending : pending_)
    most = pending.inherited.empty() ? unlimited : std::max(most, value_of(pending.inherited[output], measure));
  return leaves_.empty() ? unlimited : most;
}

bool BranchAndBound::converged(size_t output, Measure measure, double tolerance) {
  const size_t heap = heap_of(output, measure);
  drop_dead(heap);
  if (heaps_[heap].empty())
    return true;
  const double worst = key(heaps_[heap].front(), heap);
  return worst <= attained_[heap] * (1 + tolerance);
}

std::vector<size_t> BranchAndBound::free_inputs() const {
  std::vector<size_t> free;
  for (size_t i = 0; i < inputs_.size(); ++i)
    if (!inputs_[i].range.single())
      free.push_back(i);
  return free;
}

std::vector<const BoundedBox*> BranchAndBound::boxes() const {
  std::vector<const BoundedBox*> alive;
  for (const BoundedBox& leaf : leaves_)
    if (leaf.alive)
      alive.push_back(&leaf);
  return alive;
}

std::vector<const BoundedBox*> BranchAndBound::worst(size_t output, Measure measure, size_t most) const {
  std::vector<const BoundedBox*> order = boxes();
  const size_t count = std::min(most, order.size());
  std::partial_sort(order.begin(), order.begin() + long(count), order.end(),
                    [&](const BoundedBox* a, const BoundedBox* b) {
                      return value_of(a->outputs[output], measure) > value_of(b->outputs[output], measure);
                    });
  order.resize(count);
  return order;
}

std::vector<OpenBox> BranchAndBound::open() const {
  std::vector<OpenBox> all = open_;
  for (const Pending& pending : pending_)
    all.push_back({pending.box, pending.reason, pending.node});
  return all;
}

bool BranchAndBound::complete() const { return open_.empty() && pending_.empty(); }

} // namespace faultline::prove
