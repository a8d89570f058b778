#include "bound/border.h"

#include <algorithm>
#include <limits>

namespace faultline::bound {
namespace {

using numeric::quotient_up;
using numeric::sum_up;

constexpr int64_t most_outcomes = 16; // of a conversion to an integer, each of which needs a path: a guess

// A path that inputs of the box can take, as far as its own decisions say.
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

// How many decisions they have in common, from the first on.
size_t common(const Feasible& a, const Feasible& b) {
  size_t count = 0;
  while (count < a.decisions.size() && count < b.decisions.size() && decision(a, count) == decision(b, count))
    ++count;
  return count;
}

// The decision that they part at, as the first of them has it; none if that is not open in the box.
const OpenDecision* parting(const Feasible& a, const Feasible& b) {
  const size_t place = common(a, b);
  if (place == a.decisions.size() || place == b.decisions.size())
    return nullptr;
  const auto open = std::ranges::find(a.open, a.decisions[place], &OpenDecision::step);
  return open == a.open.end() ? nullptr : &*open;
}

// Is there, for every outcome of this decision, a path that leads to it by the same way?
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

// The run is on one of the paths, exact arithmetic on the other.
OutputBound difference(const Interval& computed, const Interval& exact, numeric::Format format, double floor) {
  const double error = std::max(sum_up(computed.high, -exact.low), sum_up(exact.high, -computed.low));
  const double least = std::max(exact.mignitude(), floor);
  return {error,
          error == 0   ? 0
          : least == 0 ? std::numeric_limits<double>::infinity()
                       : quotient_up(error, least),
          quotient_up(error, ops::unit_at(exact, format)), exact};
}

} // namespace

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
      for (size_t i = 0; i < path.outputs.size(); ++i)
        border.outputs[i] = larger(border.outputs[i], difference(path.outputs[i].exact, other.outputs[i].exact,
                                                                 path.bound->code().output_formats[i], floor));
    }
  }
  return border;
}

} // namespace faultline::bound
