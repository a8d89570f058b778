#include "bound/border_points.h"

#include "bound/cut.h"

#include <algorithm>

namespace faultline::bound {
namespace {

using Point = std::vector<double>;

constexpr int neighbours = 8; // floats on each side: a border is some roundings wide

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

} // namespace

std::vector<Point> points_near_border(const Box& box, const std::vector<InputDimension>& inputs,
                                      const PathOf& path_of) {
  return Points(box, inputs, path_of).run();
}

} // namespace faultline::bound
