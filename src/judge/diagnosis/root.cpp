#include "judge/diagnosis/root.h"

#include "oracle/judgement.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace faultline::judge {
namespace {

using numeric::BigFloat;
using numeric::Int128;

constexpr long precision = 256;          // more than twice a format's: a value next to a root has half of it left
constexpr int most_steps = 10;           // along one input
constexpr Int128 furthest = 1LL << 40;   // floats away: a root further off is that of another place
constexpr double longest_step = 0x1p100; // that an integer of 128 bits holds

// The exact result along one input.
class Line {
public:
  struct Point {
    Int128 order;
    BigFloat value;

    bool is_negative() const { return value.is_negative(); }
  };

  Line(exec::Session& session, const search::Dimension& dimension, const exec::Input& input, size_t cell, size_t output,
       int& runs)
      : session_(session), dimension_(dimension), input_(input), cell_(cell),
        output_(oracle::among_floats(session.target(), output)), runs_(runs), start_(dimension.order(input[cell])) {}

  Int128 start() const { return start_; }
  bool contains(Int128 order) const {
    return order >= dimension_.order(dimension_.low) && order <= dimension_.order(dimension_.high) &&
           order - start_ <= furthest && start_ - order <= furthest;
  }
  exec::Input input_at(Int128 order) const {
    exec::Input moved = input_;
    moved[cell_] = dimension_.at(order);
    return moved;
  }
  // Nothing where it is not known, or zero: then it is no use.
  std::optional<Point> at(Int128 order) {
    if (!contains(order) || runs_ <= 0)
      return std::nullopt;
    --runs_;
    const exec::LiftedRun run = session_.lift(input_at(order), precision);
    if (run.outcome != exec::Outcome::returned || !run.outputs[output_].is_finite() || run.outputs[output_].is_zero())
      return std::nullopt;
    return Point{order, run.outputs[output_]};
  }

private:
  exec::Session& session_;
  const search::Dimension& dimension_;
  const exec::Input& input_;
  size_t cell_, output_;
  int& runs_;
  Int128 start_;
};

// Where the line through both meets zero, in floats from the second; nothing if that is nowhere near.
std::optional<Int128> to_zero(const Line::Point& a, const Line::Point& b) {
  BigFloat slope(precision), step(precision);
  mpfr_sub(slope.raw(), b.value.raw(), a.value.raw(), MPFR_RNDN);
  mpfr_div(step.raw(), b.value.raw(), slope.raw(), MPFR_RNDN);
  const double steps = -step.to_double() * double(b.order - a.order);
  return std::isfinite(steps) && std::fabs(steps) < longest_step ? std::optional(Int128(std::round(steps)))
                                                                 : std::nullopt;
}

// The two sides of a sign change, as close as the steps allow.
struct Sides {
  std::optional<Line::Point> negative, positive;

  void add(const Line::Point& point) {
    std::optional<Line::Point>& side = point.is_negative() ? negative : positive;
    if (!side || mpfr_cmpabs(point.value.raw(), side->value.raw()) < 0)
      side = point;
  }
  bool met() const {
    return negative && positive && (negative->order - positive->order == 1 || positive->order - negative->order == 1);
  }
};

Sides approach(Line& line) {
  Sides sides;
  std::optional<Line::Point> last = line.at(line.start());
  const Int128 neighbour = line.start() + (line.contains(line.start() + 1) ? 1 : -1);
  std::optional<Line::Point> now = last ? line.at(neighbour) : std::nullopt;
  if (last)
    sides.add(*last);
  for (int i = 0; i < most_steps && now; ++i) {
    sides.add(*now);
    if (sides.met())
      break;
    std::optional<Int128> step = to_zero(*last, *now);
    if (!step)
      break;
    if (*step == 0) // the nearest float: the other side of the root is next to it, or nowhere
      step = now->is_negative() == last->is_negative() && last->order < now->order ? 1 : -1;
    std::optional<Line::Point> next = now->order + *step == last->order ? std::nullopt : line.at(now->order + *step);
    last = std::exchange(now, std::move(next));
  }
  return sides;
}

} // namespace

std::vector<exec::Input> next_to_root(exec::Session& session, const search::Space& space, const exec::Input& input,
                                      size_t output, int lifted_runs) {
  std::vector<exec::Input> found;
  for (size_t cell = 0; cell < space.dimensions.size() && lifted_runs > 0; ++cell) {
    const search::Dimension& dimension = space.dimensions[cell];
    if (!dimension.floating || dimension.held())
      continue;
    Line line(session, dimension, input, cell, output, lifted_runs);
    const Sides sides = approach(line);
    for (const auto* side : {&sides.negative, &sides.positive})
      if (*side && (*side)->order != line.start())
        found.push_back(line.input_at((*side)->order));
  }
  return found;
}

} // namespace faultline::judge
