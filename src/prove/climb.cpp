#include "prove/climb.h"

#include "numeric/format.h"
#include "prove/cut.h"
#include "tape/shadow.h"

#include <algorithm>
#include <cmath>

namespace faultline::prove {

namespace {

using Point = std::vector<double>;

constexpr int neighbours = 8; // floats on each side: a border is a few roundings wide

class Points {
public:
  Points(const Box& box, const std::vector<InputDimension>& inputs, const PathOf& path_of)
      : box_(box), inputs_(inputs), path_of_(path_of) {}

  std::vector<Point> run() {
    points_.push_back(middle_of(box_, inputs_));
    for (const Point& corner : corners_of(box_)) {
      points_.push_back(corner);
      Point opposite = corner;
      for (size_t i = 0; i < box_.size(); ++i)
        opposite[i] = corner[i] == box_[i].low ? box_[i].high : box_[i].low;
      if (corner < opposite) // each pair once
        look_between(corner, opposite);
    }
    return std::move(points_);
  }

private:
  void look_between(Point a, Point b) {
    const StraightCode* here = path_of_(a).code;
    if (here == path_of_(b).code)
      return;
    for (Point middle = between(a, b); middle != a && middle != b; middle = between(a, b))
      (path_of_(middle).code == here ? a : b) = middle;
    add_neighbours(a);
    add_neighbours(b);
  }

  Point between(const Point& a, const Point& b) const {
    Box way;
    for (size_t i = 0; i < a.size(); ++i)
      way.push_back({std::min(a[i], b[i]), std::max(a[i], b[i])});
    Point middle = middle_of(way, inputs_);
    for (size_t i = 0; i < a.size(); ++i)
      if (!can_be_cut(way[i], inputs_[i].grid()))
        middle[i] = a[i];
    return middle;
  }

  void add_neighbours(const Point& at) {
    points_.push_back(at);
    for (size_t i = 0; i < at.size(); ++i) {
      Point up = at, down = at;
      for (int k = 0; k < neighbours && !inputs_[i].range.single(); ++k) {
        up[i] = std::min(float_above(up[i], inputs_[i].grid()), inputs_[i].range.high);
        down[i] = std::max(-float_above(-down[i], inputs_[i].grid()), inputs_[i].range.low);
        points_.push_back(up);
        points_.push_back(down);
      }
    }
  }

  const Box& box_;
  const std::vector<InputDimension>& inputs_;
  const PathOf& path_of_;
  std::vector<Point> points_;
};

// Samples of each box; then climbs start from the best points of all. Guesses that work on the functions of `bench
// bounds`.
constexpr uint64_t samples_of_a_box = 64;
constexpr size_t most_starts = 8;
constexpr uint64_t most_failures = 400; // steps without a gain before another start is used

// Inputs are held as doubles.
numeric::Format grid_of(const InputDimension& input) { return std::min(input.format, numeric::Format::binary64); }

double float_steps(double value, numeric::Value steps, const InputDimension& input) {
  if (input.whole)
    return std::clamp(value + std::rint(double(steps)), input.range.low, input.range.high);
  const numeric::Int128 at = numeric::ordered(value, grid_of(input)) + numeric::Int128(steps);
  return double(numeric::from_ordered(std::clamp(at, numeric::ordered(input.range.low, grid_of(input)),
                                                 numeric::ordered(input.range.high, grid_of(input))),
                                      grid_of(input)));
}

double width_in_floats(const InputDimension& input) {
  if (input.whole)
    return input.range.high - input.range.low;
  return double(numeric::ordered(input.range.high, grid_of(input)) - numeric::ordered(input.range.low, grid_of(input)));
}

} // namespace

std::vector<Point> points_near_border(const Box& box, const std::vector<InputDimension>& inputs,
                                      const PathOf& path_of) {
  return Points(box, inputs, path_of).run();
}

Climb::Climb(exec::Session& session, const std::vector<InputDimension>& inputs, std::vector<size_t> outputs,
             std::vector<numeric::Format> formats, double floor, uint64_t seed)
    : session_(session), inputs_(inputs), outputs_(std::move(outputs)), formats_(std::move(formats)), floor_(floor),
      rng_(seed), best_(outputs_.size() * measures) {}

double Climb::evaluate(const exec::Input& input, size_t output, Measure measure) {
  ++evaluations_;
  const exec::Run& run = session_.run(input);
  if (run.outcome != exec::Outcome::returned || run.refused_at)
    return 0;
  const tape::Tape tape(run, session_.sites(), input.size());
  residues_.read(tape, outputs_);
  double wanted = 0;
  for (size_t i = 0; i < outputs_.size(); ++i) {
    const uint32_t record = run.outputs[outputs_[i]].record;
    if (record == 0 || runtime::is_constant(record) || !residues_.is_known(record))
      continue;
    const tape::ErrorSizes sizes = tape::sizes_of(residues_.shadow(tape, record), formats_[i], floor_);
    const double values[measures] = {sizes.absolute, sizes.ulps, sizes.relative}; // by Measure
    for (size_t which = 0; which < measures; ++which) {
      WorstInput& best = best_[i * measures + which];
      if (values[which] > best.error)
        best = {values[which], input};
    }
    if (i == output)
      wanted = values[size_t(measure)];
  }
  return wanted;
}

double Climb::error_at(const std::vector<double>& at, Measure measure) {
  const exec::Input input(at.begin(), at.end());
  double most = 0;
  for (size_t output = 0; output < outputs_.size(); ++output)
    most = std::max(most, evaluate(input, output, measure));
  return most;
}

exec::Input Climb::sample(const Box& box) {
  exec::Input input;
  for (size_t i = 0; i < box.size(); ++i)
    input.push_back(box[i].single() ? box[i].low
                                    : std::clamp(rounded_to(rng_.uniform(box[i].low, box[i].high), inputs_[i].grid()),
                                                 inputs_[i].range.low, inputs_[i].range.high));
  return input;
}

exec::Input Climb::step(const exec::Input& input) {
  exec::Input moved = input;
  const size_t all = input.size(), first = rng_.below(all);
  for (size_t k = 0; k < all; ++k) {
    const size_t i = (first + k) % all;
    if (inputs_[i].range.single() || (k > 0 && rng_.coin()))
      continue;
    const double widest = std::log2(std::max(width_in_floats(inputs_[i]), 2.0));
    const numeric::Value steps = std::exp2(numeric::Value(rng_.uniform() * widest));
    moved[i] = float_steps(double(input[i]), rng_.coin() ? steps : -steps, inputs_[i]);
  }
  return moved;
}

void Climb::run(const std::vector<const BoundedBox*>& boxes, size_t output, Measure measure, uint64_t evaluations,
                const std::function<bool()>& keep_going) {
  const uint64_t end = evaluations_ + evaluations;
  std::vector<Point> points;
  for (const BoundedBox* box : boxes)
    for (uint64_t k = 0; k < samples_of_a_box && evaluations_ < end; ++k) {
      Point point{sample(box->box), 0};
      point.error = evaluate(point.input, output, measure);
      points.push_back(std::move(point));
    }
  if (const WorstInput& best = this->best(output, measure); !best.input.empty())
    points.push_back({best.input, best.error});
  std::ranges::sort(points, std::ranges::greater{}, &Point::error);
  points.resize(std::min(points.size(), most_starts));
  for (size_t turn = 0; !points.empty() && evaluations_ < end && keep_going(); ++turn) {
    Point& point = points[turn % points.size()];
    for (uint64_t failures = 0; failures < most_failures && evaluations_ < end; ++failures) {
      exec::Input moved = step(point.input);
      if (const double error = evaluate(moved, output, measure); error > point.error) {
        point = {std::move(moved), error};
        failures = 0;
      }
    }
  }
}

} // namespace faultline::prove
