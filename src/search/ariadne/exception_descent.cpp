#include "search/ariadne/exception_descent.h"

#include "search/line.h"

#include <algorithm>
#include <limits>

namespace faultline::search {

using numeric::Int128;

namespace {

// Guesses; `faultline bench gsl-exceptions` counts what descent and bracketing find.
constexpr uint64_t most_records = 20'000; // of a run: what comes later is not worth its cost here
constexpr int first_part = 16;            // of the range, the first step: of all doubles, 128 binades
constexpr int growth = 2, shrink = 8;     // of a step that helped, and of one that did not
constexpr Int128 farthest = 4;            // floats around a zero that are tried

// The operand whose zero the goal is, at this execution; NaN if the run does not come to it.
double reading(const goal::Trigger& trigger, const ExceptionBoard::Nearest& at, const tape::Tape& tape) {
  uint32_t execution = 0;
  for (uint32_t index = 1; index < tape.size(); ++index)
    if (tape.record(index).site == at.site && ++execution == at.execution)
      for (const goal::Condition& condition : trigger)
        if (condition.relation == goal::Relation::equal)
          return tape.value(tape.operand(index, condition.operand)) - double(condition.value);
  return std::numeric_limits<double>::quiet_NaN();
}

} // namespace

ExceptionDescent::ExceptionDescent(Evaluator& evaluator, const Space& space, ExceptionBoard& board)
    : evaluator_(evaluator), space_(space), board_(board) {
  for (size_t i = 0; i < space.dimensions.size(); ++i)
    if (space.dimensions[i].floating && !space.dimensions[i].held())
      floats_.push_back(i);
}

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

// One input, or several of them together: away from zero, or towards it. Steps grow while they help, and shrink where
// they do not, down to a single float.
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
    input[i] = dimension.at(std::clamp(to, dimension.order(dimension.low), dimension.order(dimension.high)));
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
    if (value != value) // another path: the zero may lie on either side, the side that is known is this one
      high = middle;
    else if (value >= 0)
      low = middle;
    else
      high = middle;
  }
  if (!done(index))
    look_around(index, line.at(low), end);
}

// The floats around, of each input.
void ExceptionDescent::look_around(size_t goal, const exec::Input& centre, uint64_t end) {
  for (Int128 away = 1; away <= farthest; ++away)
    for (size_t i = 0; i < centre.size(); ++i)
      for (const int sign : {1, -1}) {
        const Dimension& dimension = space_.dimensions[i];
        if (dimension.held() || done(goal) || evaluator_.evaluations() >= end)
          continue;
        exec::Input input = centre;
        input[i] = dimension.at(std::clamp<Int128>(dimension.order(centre[i]) + sign * away,
                                                   dimension.order(dimension.low), dimension.order(dimension.high)));
        evaluator_.peek(input, most_records);
      }
}

} // namespace faultline::search
