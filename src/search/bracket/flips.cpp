#include "search/bracket/flips.h"

#include "ops/table.h"
#include "tape/adjoint.h"

#include <algorithm>
#include <cmath>

namespace faultline::search {

using numeric::Int128;
using ops::Op;

namespace {

// Guesses. A try costs about eight runs (docs/rounding-error.md).
constexpr uint32_t most_fruitless = 12;        // tries per site at which nothing breaks
constexpr uint32_t most_fruitless_in_all = 24; // such tries at all sites
constexpr uint32_t most_flips_of_site = 6;     // flips per site
constexpr size_t most_found = 16;              // at all sites
constexpr int most_idle = 8;                   // points without a step to flip
constexpr uint32_t as_often = 4;               // sites that break are tried as often as this many others
constexpr int newton_steps_to_flip = 6;
constexpr Value clear = 8;      // a jump is this many times larger than changes next to it
constexpr Int128 farthest = 64; // floats from the end of Newton's steps

// The rounding jump nearest to this operand.
Value nearest_jump(Op op, Value value) {
  const std::optional<numeric::Rounding> rounding = ops::rounding_of(op);
  if (rounding == numeric::Rounding::nearest_even || rounding == numeric::Rounding::nearest_away)
    return std::floor(value) + 0.5L;
  if (rounding == numeric::Rounding::to_zero && std::fabs(value) < 1) // there is no jump at zero
    return std::signbit(value) ? -1 : 1;
  return std::rint(value);
}

Value distance_to_jump(const tape::Tape& tape, uint32_t record) {
  const runtime::Record& step = tape.record(record);
  const Op op = tape.site(record).op;
  const Value value = tape.exact(step.a);
  return std::fabs(value - (ops::is_comparison(op) ? tape.exact(step.b) : nearest_jump(op, value)));
}

// The distance of the step from its jump, as a function of the inputs, to first order.
struct Gap {
  Value value;
  std::vector<double> slopes; // by record
};

Gap gap_of(const tape::Tape& tape, uint32_t record, Value jump) {
  const runtime::Record& step = tape.record(record);
  const bool comparison = ops::is_comparison(tape.site(record).op);
  auto slopes = [&](uint32_t operand) { return tape::adjoint(tape, runtime::is_constant(operand) ? 0 : operand); };
  Gap gap{tape.exact(step.a) - (comparison ? tape.exact(step.b) : jump), slopes(step.a)};
  if (comparison) {
    const std::vector<double> other = slopes(step.b);
    for (size_t i = 0; i < gap.slopes.size(); ++i)
      gap.slopes[i] -= other[i];
  }
  return gap;
}

uint32_t find(const tape::Tape& tape, uint32_t site, uint32_t execution) {
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.record(index).site == site && execution-- == 0)
      return index;
  return 0;
}

} // namespace

Flips::Flips(Quest& quest, Scorer& scorer)
    : quest_(quest), scorer_(scorer), rng_(quest.own_rng("flips")),
      histories_(quest.evaluator.session().sites().sites.size()) {}

void Flips::seek(const std::function<exec::Input()>& point, uint64_t most_evaluations) {
  const std::vector<runtime::Site>& sites = quest_.evaluator.session().sites().sites;
  if (std::none_of(sites.begin(), sites.end(), [](const runtime::Site& site) { return tape::steps(site.op); }))
    return;
  end_ = quest_.evaluator.evaluations() + most_evaluations;
  for (int idle = 0;
       idle < most_idle && (any_breaks_ || fruitless_ < most_fruitless_in_all) && found_ < most_found && !spent();) {
    const exec::Input from = point();
    const tape::Tape tape = scorer_.run(from);
    const uint32_t record = scorer_.usable() ? choose(tape) : 0;
    idle = record == 0 ? idle + 1 : 0;
    if (record != 0)
      follow(from, tape, record);
  }
}

bool Flips::open(uint32_t site) const {
  const SiteHistory& history = histories_[site];
  return history.found < most_flips_of_site &&
         (history.breaks || (history.fruitless < most_fruitless && fruitless_ < most_fruitless_in_all));
}

// Priority: sites that were tried least, and those that break more often. Conversions come before comparisons, which
// are more numerous.
uint32_t Flips::turn_of(uint32_t site) const {
  const SiteHistory& history = histories_[site];
  const uint32_t tries = history.breaks ? history.tries / as_often : history.tries;
  return 2 * tries + ops::is_comparison(quest_.evaluator.session().sites().sites[site].op);
}

// Chooses an execution of the next site: in turn any, or the one nearest to its jump. Steps with exact operands cannot
// flip.
uint32_t Flips::choose(const tape::Tape& tape) {
  quest_.evaluator.charge(sweep_cost * tape.size());
  residues_.read_steps(tape, tape.size() - 1);
  uint32_t chosen = 0;
  uint64_t alike = 0;
  Value nearest = 0;
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const uint32_t site = tape.record(index).site;
    if (!tape::steps(tape.site(index).op) || !open(site))
      continue;
    const uint32_t turn = turn_of(site), first = chosen == 0 ? turn : turn_of(tape.record(chosen).site);
    if (turn > first || residues_.exact_outcome(tape, index) == tape::ExactOutcome::certain)
      continue;
    alike = turn < first ? 1 : alike + 1;
    const Value distance = distance_to_jump(tape, index);
    if (alike == 1 || (histories_[site].tries % 2 == 0 ? rng_.below(alike) == 0 : distance < nearest)) {
      chosen = index;
      nearest = distance;
    }
  }
  return chosen;
}

void Flips::count_fruitless(SiteHistory& history) {
  if (history.breaks)
    return;
  ++history.fruitless;
  ++fruitless_;
}

void Flips::follow(exec::Input point, const tape::Tape& tape, uint32_t record) {
  StepExecution step{tape.record(record).site, 0};
  for (uint32_t index = 1; index < record; ++index)
    step.execution += tape.record(index).site == step.site;
  SiteHistory& history = histories_[step.site];
  ++history.tries;
  count_fruitless(history); // until it is seen to break
  const std::optional<Line> line = approach(point, tape, record, step);
  if (!line)
    return;
  if (const std::optional<Jump> jump = cross(*line, line->position(point[line->dimension()]), step))
    weigh(*line, *jump, step);
}

// Moves the point along one input to the jump, as near as Newton's steps lead. The line is along that input.
std::optional<Line> Flips::approach(exec::Input& point, tape::Tape tape, uint32_t record, StepExecution step) {
  const Value jump = nearest_jump(tape.site(record).op, tape.exact(tape.record(record).a));
  size_t moving = 0;
  for (int i = 0; i < newton_steps_to_flip && !spent(); ++i) {
    const Gap gap = gap_of(tape, record, jump);
    quest_.evaluator.charge(sweep_cost * tape.size());
    if (i == 0) {
      uint64_t movable = 0;
      for (size_t d = 0; d < point.size(); ++d)
        if (const Dimension& dimension = quest_.space.dimensions[d];
            dimension.floating && !dimension.held() && gap.slopes[d + 1] != 0 && rng_.below(++movable) == 0)
          moving = d;
      if (movable == 0)
        return std::nullopt;
    }
    const Dimension& dimension = quest_.space.dimensions[moving];
    const Value to = point[moving] - gap.value / gap.slopes[moving + 1];
    if (!(to >= dimension.low && to <= dimension.high))
      return std::nullopt;
    const Int128 before = dimension.order(point[moving]), after = dimension.order(dimension.nearest(to));
    point[moving] = dimension.nearest(to);
    if (after - before <= 1 && before - after <= 1)
      break;
    tape = scorer_.run(point);
    record = scorer_.usable() ? find(tape, step.site, step.execution) : 0;
    if (record == 0)
      break; // beyond a jump of another kind, perhaps just: its neighbours show it
  }
  return Line::along(quest_.space, point, moving);
}

std::optional<Flips::Side> Flips::look(const Line& line, Int128 position, StepExecution step) {
  if (position < 0 || position > line.length() || spent())
    return std::nullopt;
  line.at(position, input_);
  const tape::Tape tape = scorer_.run(input_);
  const uint32_t record = scorer_.usable() ? find(tape, step.site, step.execution) : 0;
  if (record == 0)
    return std::nullopt;
  quest_.evaluator.charge(sweep_cost * tape.size());
  residues_.read_steps(tape, record);
  Side side{tape.exact(record), residues_.exact_outcome(tape, record) == tape::ExactOutcome::another, {}};
  for (size_t output : quest_.outputs)
    side.outputs.push_back(tape.outputs()[output].value);
  return side;
}

// Finds the two neighbours between which the step changes: outwards on both sides with doubling distance, then by
// bisection.
std::optional<Flips::Jump> Flips::cross(const Line& line, Int128 at, StepExecution step) {
  const std::optional<Side> here = look(line, at, step);
  if (!here)
    return std::nullopt;
  SideAt same[2] = {{at, *here}, {at, *here}}; // the farthest point on either side with this outcome
  for (Int128 distance = 1; distance <= farthest; distance *= 2)
    for (const int sign : {1, -1}) {
      SideAt& near_by = same[sign > 0];
      std::optional<Side> found = look(line, at + sign * distance, step);
      if (!found)
        continue;
      SideAt far_off{at + sign * distance, std::move(*found)};
      if (far_off.side.outcome == here->outcome) {
        near_by = std::move(far_off);
        continue;
      }
      if (!narrow(line, near_by, far_off, step))
        return std::nullopt;
      return sign > 0 ? Jump{near_by.position, near_by.side, far_off.side}
                      : Jump{far_off.position, far_off.side, near_by.side};
    }
  return std::nullopt;
}

bool Flips::narrow(const Line& line, SideAt& one, SideAt& other, StepExecution step) {
  while (other.position - one.position > 1 || one.position - other.position > 1) {
    const Int128 middle = one.position + (other.position - one.position) / 2;
    std::optional<Side> between = look(line, middle, step);
    if (!between)
      return false;
    (between->outcome == one.side.outcome ? one : other) = {middle, std::move(*between)};
  }
  return true;
}

// The largest relative error if the exact result is the one on the other side.
double Flips::difference(const Side& computed, const Side& exact) const {
  double largest = 0;
  for (size_t i = 0; i < computed.outputs.size(); ++i) {
    const Value error = std::fabs(computed.outputs[i] - exact.outputs[i]);
    if (std::isfinite(error) && error > 0)
      largest = std::max(largest, double(std::min<Value>(error / std::fabs(exact.outputs[i]), largest_score)));
  }
  return largest;
}

// True at a jump, not merely a steep place: no similar change next to it.
bool Flips::breaks(const Line& line, const Jump& jump, StepExecution step) {
  std::vector<Value> adjacent(jump.left.outputs.size());
  auto compare = [&](Int128 position, const Side& side) {
    if (const std::optional<Side> next = look(line, position, step))
      for (size_t i = 0; i < adjacent.size(); ++i)
        adjacent[i] = std::max(adjacent[i], std::fabs(next->outputs[i] - side.outputs[i]));
  };
  compare(jump.position - 1, jump.left);
  compare(jump.position + 2, jump.right);
  for (size_t i = 0; i < adjacent.size(); ++i)
    if (std::fabs(jump.left.outputs[i] - jump.right.outputs[i]) > clear * adjacent[i])
      return true;
  return false;
}

void Flips::weigh(const Line& line, const Jump& jump, StepExecution step) {
  SiteHistory& history = histories_[step.site];
  const double left = difference(jump.left, jump.right), right = difference(jump.right, jump.left);
  if (std::max(left, right) < quest_.threshold || !breaks(line, jump, step)) {
    count_fruitless(history); // counts twice: it was seen not to break
    return;
  }
  history.breaks = any_breaks_ = true;
  if (!jump.left.falls && !jump.right.falls)
    return;
  ++history.found;
  ++found_;
  if (jump.left.falls)
    scorer_.insist(line.at(jump.position), step.site, left);
  if (jump.right.falls)
    scorer_.insist(line.at(jump.position + 1), step.site, right);
}

} // namespace faultline::search
