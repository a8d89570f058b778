#include "prove/known_paths.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <set>
#include <tuple>

namespace faultline::prove {

namespace {

using numeric::quotient_up;
using numeric::sum_up;

constexpr int64_t most_outcomes = 16; // of a conversion to an integer; each needs a path: a guess

// A path that inputs of the box can take according to its own decisions.
struct Feasible {
  BoxBound* bound = nullptr;
  std::vector<uint32_t> decisions; // steps
  std::vector<OpenDecision> open;
  std::vector<OutputBound> outputs;
};

std::vector<uint32_t> decisions_of(const StraightCode& code) {
  std::vector<uint32_t> decisions;
  for (uint32_t i = 0; i < code.steps.size(); ++i)
    if (code.steps[i].outcome)
      decisions.push_back(i);
  return decisions;
}

struct Decision {
  uint32_t site = 0;
  int64_t outcome = 0;

  bool operator==(const Decision&) const = default;
};
Decision decision(const Feasible& path, size_t which) {
  const StraightCode& code = path.bound->code();
  return {code.sites[path.decisions[which]], *code.steps[path.decisions[which]].outcome};
}

// The length of the common prefix of their decisions.
size_t common(const Feasible& a, const Feasible& b) {
  size_t count = 0;
  while (count < a.decisions.size() && count < b.decisions.size() && decision(a, count) == decision(b, count))
    ++count;
  return count;
}

// The decision at which they part, from the first path; null if it is not open in the box.
const OpenDecision* parting(const Feasible& a, const Feasible& b) {
  const size_t place = common(a, b);
  if (place == a.decisions.size() || place == b.decisions.size())
    return nullptr;
  const auto open = std::ranges::find(a.open, a.decisions[place], &OpenDecision::step);
  return open == a.open.end() ? nullptr : &*open;
}

// True if every outcome of this decision has a path with the same earlier decisions.
bool has_all_outcomes(const Feasible& path, const OpenDecision& open, const std::vector<Feasible>& all) {
  const size_t place = size_t(std::ranges::find(path.decisions, open.step) - path.decisions.begin());
  if (open.high - open.low < 0 || open.high - open.low >= most_outcomes)
    return false;
  for (int64_t outcome = open.low; outcome <= open.high; ++outcome)
    if (outcome != decision(path, place).outcome && std::ranges::none_of(all, [&](const Feasible& other) {
          return place < other.decisions.size() && common(path, other) == place &&
                 decision(other, place) == Decision{decision(path, place).site, outcome};
        }))
      return false;
  return true;
}

OutputBound larger(const OutputBound& a, const OutputBound& b) {
  return {std::max(a.absolute, b.absolute),
          std::max(a.relative, b.relative),
          std::max(a.ulps, b.ulps),
          {std::min(a.exact.low, b.exact.low), std::max(a.exact.high, b.exact.high)}};
}

// The difference when the run takes one path and exact arithmetic the other: no more than `most`.
OutputBound difference(const Interval& computed, const Interval& exact, double most, numeric::Format format,
                       double floor) {
  const double error =
      std::min(most, std::max({sum_up(computed.high, -exact.low), sum_up(exact.high, -computed.low), 0.0}));
  const double least = std::max(exact.mignitude(), floor);
  return {error,
          error == 0   ? 0
          : least == 0 ? std::numeric_limits<double>::infinity()
                       : quotient_up(error, least),
          quotient_up(error, ops::unit_at(exact, format)), exact};
}

// How far the results of two paths can be apart if a run takes one and exact arithmetic the other.
//
// The run's comparisons order its values, the exact ones order the exact values, and each value is near its exact
// counterpart. So each of these conditions says that one number exceeds another by at most so much. Their shortest
// chain from one result to the other bounds the difference. It is about an error where a comparison selects one of its
// own operands, however many comparisons follow each other: a median, a clamp, the largest of several numbers.
class Sides {
public:
  Sides(BoxBound& run, BoxBound& exact) : run_(run), exact_(exact) {
    number(run.code(), run_numbers_);
    number(exact.code(), exact_numbers_);
    order(run, run_numbers_, 0);
    order(exact, exact_numbers_, 1);
  }

  // Infinity if no chain leads from one result to the other.
  double distance(size_t output) {
    const Place computed{run_, run_numbers_, run_.code().outputs[output], 0};
    const Place wanted{exact_, exact_numbers_, exact_.code().outputs[output], 1};
    return std::max(excess(computed, wanted, most_choices), excess(wanted, computed, most_choices));
  }

private:
  using Expression = std::tuple<ops::Op, numeric::Format, std::array<uint32_t, 3>, double, double>;
  static constexpr int most_choices = 4; // nested in a result: a guess
  struct Place {
    BoxBound& bound;
    const std::vector<uint32_t>& numbers;
    uint32_t slot, side;
  };
  // `above` exceeds `below` by at most `excess`. Both are numbers of values, twice: in the run, and one more if exact.
  struct Condition {
    uint32_t above, below;
    double excess;
  };

  // Equal expressions have equal numbers, in both codes.
  void number(const StraightCode& code, std::vector<uint32_t>& numbers) {
    for (uint32_t slot = 0; slot < code.slots(); ++slot) {
      Expression expression{ops::Op::none, numeric::Format::binary64, {slot}, 0, 0};
      if (slot >= code.first_step()) {
        const model::CertifiedStep& step = code.steps[slot - code.first_step()];
        std::array<uint32_t, 3> operands = {};
        for (size_t i = 0; i < size_t(ops::arity(step.op)); ++i)
          operands[i] = numbers[step.operands[i]];
        expression = {step.op, step.format, operands, double(step.outcome.value_or(0)), 0};
      } else if (slot >= code.inputs()) {
        const model::CertifiedConstant& constant = code.constants[slot - code.inputs()];
        expression = {ops::Op::leaf, numeric::Format::binary64, {}, constant.low, constant.high};
      }
      numbers.push_back(numbers_.emplace(expression, uint32_t(numbers_.size())).first->second);
    }
  }

  std::optional<std::pair<Place, Place>> operands_of(ops::Op choice, const Place& place) const {
    const StraightCode& code = place.bound.code();
    if (place.slot < code.first_step() || code.steps[place.slot - code.first_step()].op != choice)
      return std::nullopt;
    const auto& operands = code.steps[place.slot - code.first_step()].operands;
    Place first = {place.bound, place.numbers, operands[0], place.side}, second = first;
    second.slot = operands[1];
    return std::pair{first, second};
  }

  // By how much one number exceeds another at most, also if they are the larger or smaller of two.
  double excess(const Place& above, const Place& below, int depth) {
    double least = longest(use(above.bound, above.numbers, above.slot, above.side),
                           use(below.bound, below.numbers, below.slot, below.side));
    if (depth == 0)
      return least;
    const auto both = [&](const auto& parts, bool of_above, bool all) {
      const double first = of_above ? excess(parts->first, below, depth - 1) : excess(above, parts->first, depth - 1);
      const double second =
          of_above ? excess(parts->second, below, depth - 1) : excess(above, parts->second, depth - 1);
      least = std::min(least, all ? std::max(first, second) : std::min(first, second));
    };
    for (const ops::Op choice : {ops::Op::fmin, ops::Op::fmax}) {
      if (const auto parts = operands_of(choice, above))
        both(parts, true, choice == ops::Op::fmax);
      if (const auto parts = operands_of(choice, below))
        both(parts, false, choice == ops::Op::fmin);
    }
    return least;
  }

  // Adds the error of a value, once.
  uint32_t use(BoxBound& bound, const std::vector<uint32_t>& numbers, uint32_t slot, uint32_t side) {
    const uint32_t number = 2 * numbers[slot];
    if (used_.insert(number).second) {
      const double error = bound.error_of(slot);
      conditions_.push_back({number, number + 1, error});
      conditions_.push_back({number + 1, number, error});
    }
    return number + side;
  }

  void order(BoxBound& bound, const std::vector<uint32_t>& numbers, uint32_t side) {
    for (const model::CertifiedStep& step : bound.code().steps) {
      if (!step.outcome || !ops::is_comparison(step.op))
        continue;
      const auto can_be = [&](int which) {
        return ops::holds(step.op, ops::order_between(which, 0)) == (*step.outcome != 0);
      };
      const uint32_t first = use(bound, numbers, step.operands[0], side);
      const uint32_t second = use(bound, numbers, step.operands[1], side);
      if (!can_be(1))
        conditions_.push_back({first, second, 0});
      if (!can_be(-1))
        conditions_.push_back({second, first, 0});
    }
  }

  // The largest excess of one number over another.
  double longest(uint32_t above, uint32_t below) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    std::vector<double> excess(2 * numbers_.size(), infinity); // over each number
    excess[above] = 0;
    for (bool better = true; better;) {
      better = false;
      for (const Condition& condition : conditions_)
        if (const double by_way = sum_up(excess[condition.above], condition.excess); by_way < excess[condition.below]) {
          excess[condition.below] = by_way;
          better = true;
        }
    }
    return excess[below];
  }

  BoxBound &run_, &exact_;
  std::map<Expression, uint32_t> numbers_;
  std::vector<uint32_t> run_numbers_, exact_numbers_; // by slot
  std::set<uint32_t> used_;
  std::vector<Condition> conditions_;
};

// Adds the differences where a run takes `path` and exact arithmetic `other`.
void add_differences(BorderBound& border, const Feasible& path, const Feasible& other, double floor) {
  Sides sides(*path.bound, *other.bound);
  for (size_t i = 0; i < path.outputs.size(); ++i) {
    const double distance = sides.distance(i);
    border.continuous = border.continuous && std::isfinite(distance);
    border.outputs[i] = larger(border.outputs[i], difference(path.outputs[i].exact, other.outputs[i].exact, distance,
                                                             path.bound->code().output_formats[i], floor));
  }
}

// Nothing if some input of the box may take a path that is not among these or has no bound.
std::optional<BorderBound> border_bound(std::span<BoxBound* const> paths, const Box& box, double floor) {
  std::vector<Feasible> feasible;
  for (BoxBound* path : paths) {
    Feasible one{path, decisions_of(path->code()), {}, {}};
    const Verdict verdict = path->evaluate(box, one.open);
    if (verdict == Verdict::elsewhere)
      continue;
    if (verdict != Verdict::bounded)
      return std::nullopt;
    one.outputs.assign(path->outputs().begin(), path->outputs().end());
    feasible.push_back(std::move(one));
  }
  if (feasible.empty())
    return std::nullopt;
  for (const Feasible& path : feasible)
    for (const OpenDecision& open : path.open)
      if (!has_all_outcomes(path, open, feasible))
        return std::nullopt;
  BorderBound border{feasible.front().outputs, std::vector<double>(box.size()), {}};
  for (const Feasible& path : feasible) {
    border.paths.push_back(&path.bound->code());
    for (size_t i = 0; i < box.size(); ++i)
      border.weights[i] = std::max(border.weights[i], path.bound->weights()[i]);
    for (size_t i = 0; i < path.outputs.size(); ++i)
      border.outputs[i] = larger(border.outputs[i], path.outputs[i]);
    for (const Feasible& other : feasible) {
      const OpenDecision* open = &path == &other ? nullptr : parting(path, other);
      if (!open || open->exact)
        continue;
      add_differences(border, path, other, floor);
    }
  }
  return border;
}

} // namespace

std::vector<std::vector<double>> corners_of(const Box& box) {
  std::vector<size_t> free;
  std::vector<double> lowest, highest;
  for (size_t i = 0; i < box.size(); ++i) {
    lowest.push_back(box[i].low);
    highest.push_back(box[i].high);
    if (!box[i].single())
      free.push_back(i);
  }
  std::vector<std::vector<double>> corners;
  constexpr size_t most_corners = 5; // inputs: up to this number all 2^5 corners are used
  if (free.size() <= most_corners) {
    for (uint32_t which = 0; which < 1u << free.size(); ++which) {
      corners.push_back(lowest);
      for (size_t k = 0; k < free.size(); ++k)
        if (which >> k & 1)
          corners.back()[free[k]] = highest[free[k]];
    }
    return corners;
  }
  corners = {lowest, highest};
  for (const size_t input : free) {
    corners.push_back(lowest);
    corners.back()[input] = highest[input];
  }
  return corners;
}

KnownPaths::KnownPaths(std::vector<InputDimension> inputs, double floor, PathOf path_of, bool checkable)
    : inputs_(std::move(inputs)), floor_(floor), path_of_(std::move(path_of)), checkable_(checkable) {
  for (const InputDimension& input : inputs_)
    errors_.push_back(input.error);
}

KnownPaths::~KnownPaths() = default;

std::vector<double> middle_of(const Box& box, const std::vector<InputDimension>& inputs) {
  std::vector<double> middle;
  for (size_t i = 0; i < box.size(); ++i)
    middle.push_back(can_be_cut(box[i], inputs[i].grid()) ? cut_of(box[i], inputs[i].grid()) : box[i].low);
  return middle;
}

size_t KnownPaths::place_of(const StraightCode& code) {
  const auto [place, is_new] = places_.emplace(&code, codes_.size());
  if (is_new)
    codes_.push_back({&code, std::make_unique<BoxBound>(code, errors_, floor_, checkable_)});
  return place->second;
}

bool KnownPaths::has_settled_integers(const Box& box) const {
  for (size_t i = 0; i < box.size(); ++i)
    if (inputs_[i].whole && !box[i].single())
      return false;
  return true;
}

// Code holds for the integers of the run that it was read from.
bool KnownPaths::has_integers_of(const StraightCode& code, const Box& box) const {
  for (size_t i = 0, k = 0; i < box.size(); ++i)
    if (inputs_[i].whole && box[i] != Interval::of(code.integers[k++]))
      return false;
  return true;
}

KnownPaths::Evaluation KnownPaths::try_code(const StraightCode& code, const Box& box) {
  last_ = place_of(code);
  ++evaluated_;
  const Verdict verdict = codes_[last_].bound->evaluate(box);
  switch (verdict) {
  case Verdict::undecided:
    return {verdict, "rounding may change a comparison"};
  case Verdict::undefined:
    if (const ops::Op op = codes_[last_].bound->undefined(); !ops::has_formulas(op))
      return {verdict, fmt::format("no bound is known for {} and its error", ops::name(op))};
    return {verdict, "an operation may have no result, or one beyond the range of its format"};
  case Verdict::bounded:
  case Verdict::elsewhere:
    break;
  }
  return {verdict, ""};
}

KnownPaths::Evaluation KnownPaths::evaluate(const Box& box) {
  if (!has_settled_integers(box))
    return {Verdict::undecided, "not enough time for each value of the integers"};
  const bool again = !codes_.empty() && has_integers_of(*codes_[last_].code, box);
  if (again) {
    const Evaluation evaluation = try_code(*codes_[last_].code, box);
    if (evaluation.verdict == Verdict::bounded || evaluation.verdict == Verdict::undefined)
      return evaluation;
  }
  const StraightCode* before = again ? codes_[last_].code : nullptr;
  const PathAt path = path_of_(middle_of(box, inputs_));
  if (!path.code)
    return {Verdict::undefined, path.obstacle, path.everywhere};
  if (path.code == before)
    return {Verdict::undecided, "rounding may change a comparison"};
  Evaluation evaluation = try_code(*path.code, box);
  if (evaluation.verdict == Verdict::elsewhere) // its own middle takes this path: only rounding may make a difference
    evaluation = {Verdict::undecided, "rounding may change a comparison"};
  return evaluation;
}

// The box widened, within the ranges.
Box KnownPaths::around(const Box& box, double widths) const {
  Box wide = box;
  for (size_t i = 0; i < box.size(); ++i) {
    const Interval& range = inputs_[i].range;
    if (inputs_[i].whole)
      continue;
    const double unit = float_above(box[i].magnitude(), inputs_[i].format) - box[i].magnitude();
    const double reach = widths * std::max(box[i].high - box[i].low, unit);
    wide[i] = {rounded_to(std::clamp(box[i].low - reach, range.low, range.high), inputs_[i].format),
               rounded_to(std::clamp(box[i].high + reach, range.low, range.high), inputs_[i].format)};
  }
  return wide;
}

std::optional<BorderBound> KnownPaths::at_border(const Box& box, const std::vector<std::vector<double>>& points) {
  constexpr size_t few = 8; // up to this number all paths are tried, near or not
  std::vector<size_t> places;
  for (size_t place = 0; place < codes_.size(); ++place)
    if ((place == last_ || codes_.size() <= few) && has_integers_of(*codes_[place].code, box))
      places.push_back(place);
  for (const std::vector<double>& point : points)
    if (const PathAt path = path_of_(point); path.code)
      if (const size_t place = place_of(*path.code); std::ranges::find(places, place) == places.end())
        places.push_back(place);
  std::vector<BoxBound*> paths;
  for (const size_t place : places)
    paths.push_back(codes_[place].bound.get());
  evaluated_ += paths.size();
  return border_bound(paths, box, floor_);
}

// The paths of a box are usually those of its corners. For a point, they are those of its neighbours.
std::optional<BorderBound> KnownPaths::at_border(const Box& box) {
  if (!has_settled_integers(box))
    return std::nullopt;
  std::vector<std::vector<double>> points = {middle_of(box, inputs_)};
  for (const double widths : {0.0, 1.0, 8.0, 64.0}) { // guesses: a border is a few roundings wide
    std::ranges::copy(corners_of(around(box, widths)), std::back_inserter(points));
    if (std::optional<BorderBound> border = at_border(box, points))
      return border;
  }
  return std::nullopt;
}

} // namespace faultline::prove
