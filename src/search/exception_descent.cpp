#include "search/exception_descent.h"

#include "exec/guard.h"
#include "search/line.h"
#include "tape/exceptions.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <tuple>

namespace faultline::search {

using numeric::Int128;
using ops::Exception;

namespace {

// Guesses, like the shares of kinds of values, ties and changes below. `faultline bench gsl-exceptions` counts what
// sampling finds.
constexpr size_t most_constants = 4096;
constexpr int tries = 8; // attempts to draw a value in the range

// Percentages, cumulative: any floats, any reals, ordinary size, usual size, halves, constants; the rest are extreme.
constexpr uint64_t any_float = 18, any_real = 24, ordinary = 46, usual = 58, halves = 72, constants = 88, kinds = 100;

// Exponents, excluding the last.
struct ExponentRange {
  int first, end;
};
constexpr ExponentRange ordinary_size{-6, 10}, usual_size{-60, 100}, factors{-4, 4};

Value signed_value(Value magnitude, numeric::Rng& rng) { return rng.coin() ? magnitude : -magnitude; }

Value of_exponents(ExponentRange range, numeric::Rng& rng) {
  const int exponent = range.first + int(rng.below(uint64_t(range.end - range.first)));
  return std::ldexp(1 + (Value)rng.uniform(), exponent);
}

// A value next to this one: at a distance of some floats, or of a small part of the value.
Value value_near(const Dimension& dimension, Value value, numeric::Rng& rng) {
  if (!dimension.floating)
    return value + (Value)rng.below(3) - 1;
  const int bits = int(rng.below(uint64_t(numeric::info(dimension.format).precision)));
  return value + signed_value(std::ldexp(std::fabs(value), -bits), rng);
}

// The largest and the smallest numbers, their roots, and their logarithms.
Value extreme(const Dimension& dimension, numeric::Rng& rng) {
  const numeric::FormatInfo info = numeric::info(dimension.format);
  const int ends[] = {info.max_exponent, info.min_exponent, info.min_exponent - info.precision + 1};
  const int end = ends[rng.below(3)];
  switch (rng.below(6)) {
  case 0:
    return 0;
  case 1:
    return std::ldexp(1 + (Value)rng.uniform(), end);
  case 2:
    return std::ldexp(1 + (Value)rng.uniform(), end / 2);
  case 3:
    return std::ldexp(1 + (Value)rng.uniform(), end / 3);
  case 4:
    return std::ldexp(1 + (Value)rng.uniform(), end / 4);
  default:
    return std::fabs(end * 0.6931471805599453L) * (0.9L + 0.2L * (Value)rng.uniform());
  }
}

// Guesses; `faultline bench gsl-exceptions` counts what descent and bracketing find.
constexpr uint64_t most_records = 20'000; // per run: later records are not worth their cost here
constexpr int first_part = 16;            // the first step, relative to the range: for all doubles, 128 binades
constexpr int growth = 2, shrink = 8;     // of a step that helped, and of one that failed
constexpr Int128 farthest = 4;            // floats around a zero that are tried

// The operand whose zero is the goal, at this execution; NaN if the run does not reach it.
double reading(const goal::Trigger& trigger, const ExceptionBoard::Nearest& at, const tape::Tape& tape) {
  uint32_t execution = 0;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.record(index).site == at.site && ++execution == at.execution)
      for (const goal::Condition& condition : trigger)
        if (condition.relation == goal::Relation::equal)
          return tape.value(tape.operand(index, condition.operand)) - double(condition.value);
  return std::numeric_limits<double>::quiet_NaN();
}

constexpr double infinity = std::numeric_limits<double>::infinity();
// Guesses.
constexpr uint32_t most_tiny_looks = 256; // at a place, as in judge/observations: each needs high precision
constexpr uint32_t most_unwanted = 8;     // times that a goal is raised without use before it is dropped
constexpr uint32_t most_executions = 64;  // per site and run: the largest finite loop bound
constexpr uint32_t longest_searched_tape = 1u << 20;
constexpr Exception all_exceptions[] = {Exception::divide_by_zero, Exception::invalid, Exception::overflow,
                                        Exception::underflow};
static_assert(std::size(all_exceptions) == ops::exception_count);

bool lies_at_a_zero(const std::vector<goal::Trigger>& triggers) {
  return triggers.size() == 1 && std::ranges::any_of(triggers.front(), [](const goal::Condition& condition) {
           return condition.relation == goal::Relation::equal;
         });
}

// The side of the crossing on which the run was.
int side(const std::vector<goal::Trigger>& triggers, const tape::Tape& tape, uint32_t record) {
  for (const goal::Condition& condition : triggers.front())
    if (condition.relation == goal::Relation::equal)
      return tape.exact(tape.operand(record, condition.operand)) < condition.value;
  return 0;
}

} // namespace

ValuePool::ValuePool(const Space& space, const runtime::SiteTable& table)
    : space_(space), constants_(magnitudes_of_constants(table)), free_(space.free()) {
  if (constants_.size() > most_constants)
    constants_.resize(most_constants);
}

Value ValuePool::any_value(const Dimension& dimension, uint64_t kind, numeric::Rng& rng) const {
  if (kind < any_float)
    return dimension.draw(rng);
  if (kind < any_real) {
    const Value share = rng.uniform();
    return dimension.low * (1 - share) + dimension.high * share;
  }
  if (kind < ordinary)
    return signed_value(of_exponents(ordinary_size, rng), rng);
  if (kind < usual)
    return signed_value(of_exponents(usual_size, rng), rng);
  if (kind < halves) {
    const auto half = (Value)rng.below(rng.coin() ? 24 : 400) / 2;
    return signed_value(rng.below(3) == 0 ? value_near(dimension, half, rng) : half, rng);
  }
  if (kind < constants && !constants_.empty()) {
    const Value constant = constants_[rng.below(constants_.size())];
    switch (rng.below(4)) {
    case 0:
      return signed_value(constant, rng);
    case 1:
      return signed_value(1 / constant, rng);
    default:
      return signed_value(value_near(dimension, constant, rng), rng);
    }
  }
  return signed_value(extreme(dimension, rng), rng);
}

Value ValuePool::draw(size_t which, numeric::Rng& rng) const { return draw(which, rng.below(kinds), rng); }

Value ValuePool::draw(size_t which, uint64_t kind, numeric::Rng& rng) const {
  const Dimension& dimension = space_.dimensions[which];
  if (dimension.held())
    return dimension.low;
  if (!dimension.floating)
    return dimension.draw(rng);
  for (int i = 0; i < tries; ++i)
    if (const Value value = any_value(dimension, kind, rng); value >= dimension.low && value <= dimension.high)
      return dimension.nearest(value);
  return dimension.draw(rng);
}

// A value tied to another input.
Value ValuePool::tied(const exec::Input& input, size_t which, numeric::Rng& rng) const {
  const Value other = input[free_[rng.below(free_.size())]];
  const Dimension& dimension = space_.dimensions[which];
  switch (rng.below(7)) {
  case 0:
    return other;
  case 1:
    return -other;
  case 2:
    return 1 - other;
  case 3:
    return other + signed_value((Value)rng.below(8) / 2, rng);
  case 4:
    return other * of_exponents(factors, rng);
  case 5:
    return other == 0 ? 0 : 1 / other;
  default:
    return value_near(dimension, other, rng);
  }
}

exec::Input ValuePool::draw(numeric::Rng& rng) const {
  // Sometimes uses one kind for all inputs: a mixture of four kinds rarely does.
  switch (rng.below(10)) {
  case 0:
    return space_.sample_floats(rng);
  case 1:
    return space_.sample_alike(rng);
  case 2:
    return space_.sample_reals(rng);
  default:
    break;
  }
  const bool alike = rng.below(3) == 0;
  const uint64_t kind = rng.below(kinds);
  exec::Input input;
  for (size_t i = 0; i < space_.dimensions.size(); ++i)
    input.push_back(alike ? draw(i, kind, rng) : draw(i, rng));
  if (free_.size() > 1)
    for (const size_t which : free_)
      if (rng.below(8) == 0)
        input[which] = space_.dimensions[which].nearest(tied(input, which, rng));
  return input;
}

Value ValuePool::changed(const exec::Input& input, size_t which, numeric::Rng& rng) const {
  const Dimension& dimension = space_.dimensions[which];
  if (!dimension.floating)
    return rng.coin() ? draw(which, rng) : value_near(dimension, input[which], rng);
  switch (rng.below(8)) {
  case 0:
  case 1:
    return draw(which, rng);
  case 2:
    return -input[which];
  case 3:
    return std::ldexp(input[which], int(rng.below(129)) - 64);
  case 4:
    return std::rint(input[which] * 2) / 2;
  case 5:
    return free_.size() > 1 ? tied(input, which, rng) : std::sqrt(std::fabs(input[which]));
  default:
    return value_near(dimension, input[which], rng);
  }
}

exec::Input ValuePool::mutate(const exec::Input& input, numeric::Rng& rng) const {
  exec::Input result = input;
  if (free_.empty())
    return result;
  do {
    const size_t which = free_[rng.below(free_.size())];
    result[which] = space_.dimensions[which].nearest(changed(result, which, rng));
  } while (rng.below(3) == 0);
  return result;
}

const ExceptionBoard::Nearest& ExceptionBoard::Goal::nearest() const {
  if (sides[0].input.empty())
    return sides[1];
  return !sides[1].input.empty() && sides[1].distance < sides[0].distance ? sides[1] : sides[0];
}

ExceptionBoard::ExceptionBoard(const runtime::SiteTable& table)
    : place_of_(table.sites.size()), places_(1), executions_(table.sites.size()) {
  std::map<std::tuple<std::string, int, int, ops::Op>, uint32_t> known;
  for (uint32_t site = runtime::first_program_site; site < table.sites.size(); ++site) {
    const runtime::Site& where = table.sites[site];
    const auto [found, fresh] = known.try_emplace({where.file, where.line, where.column, where.op}, places_.size());
    place_of_[site] = found->second;
    if (!fresh)
      continue;
    Place place{.first_goal = uint32_t(goals_.size())};
    for (const Exception kind : all_exceptions) {
      std::vector<goal::Trigger> triggers = goal::triggers(where, kind);
      if (triggers.empty())
        continue;
      Goal& goal = goals_.emplace_back();
      goal.place = found->second;
      goal.kind = kind;
      goal.crossing = lies_at_a_zero(triggers);
      goal.least = infinity;
      triggers_.push_back(std::move(triggers));
    }
    place.goals = place.open = uint32_t(goals_.size()) - place.first_goal;
    places_.push_back(place);
  }
}

bool ExceptionBoard::watch(const exec::Input& input, const exec::Run& run, const tape::Tape& tape) {
  if (run.outcome == exec::Outcome::timed_out || run.outcome == exec::Outcome::out_of_memory ||
      run.outcome == exec::Outcome::killed || tape.size() > longest_searched_tape)
    return false;
  const size_t before = seen_ + unconfirmed_ + places_reached_ + reached_cleanly_;
  const bool whole = run.outcome != exec::Outcome::tape_full;
  if ((run.flags & exec::exception_flags) || !whole)
    note_exceptions(input, tape, whole);
  note_distances(input, tape, whole);
  constexpr uint32_t fatal = exec::flag_overflow | exec::flag_invalid | exec::flag_divide_by_zero;
  if (!(run.flags & fatal) && whole)
    note_clean_places(tape);
  return seen_ + unconfirmed_ + places_reached_ + reached_cleanly_ > before;
}

void ExceptionBoard::note_exceptions(const exec::Input& input, const tape::Tape& tape, bool whole) {
  std::vector<bool> used;
  for (uint32_t index = 1; index < tape.size(); ++index) {
    if (!tape::may_be_exceptional(tape, index))
      continue;
    Place& place = places_[place_of_[tape.record(index).site]];
    if (place.open == 0)
      continue;
    const bool tiny = std::fabs(tape.value(index)) < 1 && !ops::is_to_int(tape.site(index).op);
    if (tiny && ++place.tiny_looks > most_tiny_looks)
      continue;
    const Exception kind = tape::exception_of(tape, index);
    if (kind == Exception::none)
      continue;
    for (uint32_t i = place.first_goal; i < place.first_goal + place.goals; ++i) {
      Goal& goal = goals_[i];
      if (goal.kind != kind || goal.seen || goal.unwanted >= most_unwanted || (!goal.unconfirmed.empty() && !whole))
        continue;
      if (whole && used.empty()) // unknown for a run that was cut short
        used = tape::used_records(tape);
      if (whole && !used[index]) {
        ++goal.unwanted;
        place.open -= goal.unwanted == most_unwanted;
        continue;
      }
      if (!whole) {
        goal.unconfirmed = input;
        ++unconfirmed_;
        continue;
      }
      goal.seen = true;
      ++seen_;
      --place.open;
    }
  }
}

void ExceptionBoard::note_distances(const exec::Input& input, const tape::Tape& tape, bool whole) {
  for (uint32_t index = 1; index < tape.size(); ++index) {
    const uint32_t site = tape.record(index).site;
    Place& place = places_[place_of_[site]];
    if (place.open == 0 && place.reached)
      continue;
    if (!place.reached && place_of_[site] != 0) {
      place.reached = true;
      ++places_reached_;
    }
    if (place.open == 0)
      continue;
    if (executions_[site]++ == 0)
      touched_.push_back(site);
    if (executions_[site] > most_executions)
      continue;
    for (uint32_t i = place.first_goal; i < place.first_goal + place.goals; ++i)
      if (!goals_[i].seen)
        consider(goals_[i], input, tape, index, whole);
  }
  for (const uint32_t site : touched_)
    executions_[site] = 0;
  touched_.clear();
}

void ExceptionBoard::note_clean_places(const tape::Tape& tape) {
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (Place& place = places_[place_of_[tape.record(index).site]]; !place.clean) {
      place.clean = true;
      ++reached_cleanly_;
    }
}

void ExceptionBoard::consider(Goal& goal, const exec::Input& input, const tape::Tape& tape, uint32_t index,
                              bool whole) {
  const std::vector<goal::Trigger>& triggers = triggers_[size_t(&goal - goals_.data())];
  const double distance = goal::distance(triggers, tape, index);
  if (distance == infinity || (distance == 0 && !whole))
    return;
  goal.most = std::max(goal.most, distance);
  goal.least = std::min(goal.least, distance);
  Nearest& nearest = goal.sides[goal.crossing ? side(triggers, tape, index) : 0];
  if (nearest.input.empty() || distance < nearest.distance) {
    const uint32_t site = tape.record(index).site;
    nearest = {distance, input, executions_[site], site};
  }
}

std::vector<exec::Input> ExceptionBoard::unconfirmed_inputs() const {
  std::map<exec::Input, int> counts;
  for (const Goal& goal : goals_)
    if (!goal.seen && !goal.unconfirmed.empty())
      ++counts[goal.unconfirmed];
  std::vector<std::pair<int, exec::Input>> ranked;
  for (const auto& [input, count] : counts)
    ranked.emplace_back(-count, input);
  std::ranges::sort(ranked);
  std::vector<exec::Input> inputs;
  for (auto& [count, input] : ranked)
    inputs.push_back(std::move(input));
  return inputs;
}

double ExceptionBoard::distance(const Goal& goal, const tape::Tape& tape) const {
  const std::vector<goal::Trigger>& triggers = triggers_[size_t(&goal - goals_.data())];
  double least = infinity;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (place_of_[tape.record(index).site] == goal.place)
      least = std::min(least, goal::distance(triggers, tape, index));
  return least;
}

ExceptionDescent::ExceptionDescent(Evaluator& evaluator, const Space& space, ExceptionBoard& board)
    : evaluator_(evaluator), space_(space), board_(board), floats_(space.free_floats()) {}

double ExceptionDescent::try_input(size_t goal, const exec::Input& input) {
  const tape::Tape tape = evaluator_.peek(input, most_records);
  return board_.distance(board_.goals()[goal], tape);
}

void ExceptionDescent::descend(size_t goal, uint64_t most_runs) {
  const ExceptionBoard::Nearest nearest = board_.goals()[goal].nearest();
  if (nearest.input.empty())
    return;
  best_ = nearest.input;
  left_ = nearest.distance;
  const uint64_t end = evaluator_.evaluations() + most_runs;
  for (bool moved = true; moved && !done(goal) && evaluator_.evaluations() < end;) {
    moved = false;
    if (floats_.size() > 1)
      moved |= walk(goal, floats_, end);
    for (size_t i = 0; i < best_.size() && !done(goal) && evaluator_.evaluations() < end; ++i)
      if (!space_.dimensions[i].held())
        moved |= walk(goal, {&i, 1}, end);
  }
}

// Moves one input, or several together, away from zero or towards it. Steps grow while they help and shrink otherwise,
// down to a single float.
bool ExceptionDescent::walk(size_t goal, std::span<const size_t> which, uint64_t end) {
  Int128 step = std::max<Int128>(space_.dimensions[which.front()].width() / first_part, 1);
  bool moved = false;
  while (step >= 1 && !done(goal) && evaluator_.evaluations() < end) {
    bool better = false;
    for (const int sign : {1, -1}) {
      const exec::Input input = stepped(which, sign * step);
      if (input == best_)
        continue;
      const double distance = try_input(goal, input);
      if (distance < left_) {
        best_ = input;
        left_ = distance;
        better = moved = true;
        break;
      }
      if (done(goal))
        return true;
    }
    step = better ? step * growth : step / shrink;
  }
  return moved;
}

exec::Input ExceptionDescent::stepped(std::span<const size_t> which, Int128 step) const {
  exec::Input input = best_;
  for (const size_t i : which) {
    const Dimension& dimension = space_.dimensions[i];
    const Int128 from = dimension.order(best_[i]);
    const Int128 to = which.size() > 1 && from < 0 ? from - step : from + step;
    input[i] = dimension.at_within(to);
  }
  return input;
}

void ExceptionDescent::bisect(size_t index, uint64_t most_runs) {
  const ExceptionBoard::Goal& goal = board_.goals()[index];
  if (!goal.crossing || goal.sides[0].input.empty() || goal.sides[1].input.empty())
    return;
  const uint64_t end = evaluator_.evaluations() + most_runs;
  const ExceptionBoard::Nearest from = goal.sides[0];
  const exec::Input to = goal.sides[1].input;
  const Line line = Line::between(space_, from.input, to);
  const goal::Trigger trigger = board_.trigger(index);
  Int128 low = 0, high = line.length();
  while (high - low > 1 && !done(index) && evaluator_.evaluations() < end) {
    const Int128 middle = low + (high - low) / 2;
    const double value = reading(trigger, from, evaluator_.peek(line.at(middle), most_records));
    if (value != value) // another path: the zero may lie on either side, the known side is this one
      high = middle;
    else if (value >= 0)
      low = middle;
    else
      high = middle;
  }
  if (!done(index))
    look_around(index, line.at(low), end);
}

// Tries the floats around the centre, for each input.
void ExceptionDescent::look_around(size_t goal, const exec::Input& centre, uint64_t end) {
  for (Int128 away = 1; away <= farthest; ++away)
    for (size_t i = 0; i < centre.size(); ++i)
      for (const int sign : {1, -1}) {
        const Dimension& dimension = space_.dimensions[i];
        if (dimension.held() || done(goal) || evaluator_.evaluations() >= end)
          continue;
        exec::Input input = centre;
        input[i] = dimension.at_within(dimension.order(centre[i]) + sign * away);
        evaluator_.peek(input, most_records);
      }
}

} // namespace faultline::search
