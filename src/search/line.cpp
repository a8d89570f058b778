#include "search/line.h"

#include <algorithm>

namespace faultline::search {

using numeric::Int128;

Line Line::along(const Space& space, const exec::Input& base, size_t dimension) {
  exec::Input from = base, to = base;
  from[dimension] = space.dimensions[dimension].low;
  to[dimension] = space.dimensions[dimension].high;
  return between(space, from, to);
}

Line Line::between(const Space& space, const exec::Input& from, const exec::Input& to) {
  Line line(space, from, 0);
  for (size_t i = 0; i < from.size(); ++i) {
    const Int128 start = space.dimensions[i].order(from[i]);
    const Int128 change = space.dimensions[i].order(to[i]) - start;
    if (change == 0)
      continue;
    line.moving_.push_back({i, start, change});
    if (const Int128 size = change < 0 ? -change : change; size > line.length_) {
      line.length_ = size;
      line.dimension_ = i;
    }
  }
  return line;
}

void Line::at(Int128 position, exec::Input& input) const {
  position = std::clamp<Int128>(position, 0, length_);
  input = base_;
  for (const MovingInput& moving : moving_) {
    Int128 moved = 0;
    if (moving.change == length_ || moving.change == -length_)
      moved = moving.change < 0 ? -position : position;
    else
      // x87's order numbers have more bits than a long double: what is rounded stays between the ends.
      moved = std::clamp(Int128((long double)moving.change * ((long double)position / (long double)length_)),
                         std::min<Int128>(moving.change, 0), std::max<Int128>(moving.change, 0));
    input[moving.dimension] = space_->dimensions[moving.dimension].at(moving.from + moved);
  }
}

exec::Input Line::at(Int128 position) const {
  exec::Input input;
  at(position, input);
  return input;
}

Int128 Line::position(long double value) const {
  if (moving_.empty())
    return 0;
  const Dimension& dimension = space_->dimensions[dimension_];
  for (const MovingInput& moving : moving_)
    if (moving.dimension == dimension_) {
      const Int128 moved = dimension.order(dimension.nearest(value)) - moving.from;
      return std::clamp<Int128>(moving.change < 0 ? -moved : moved, 0, length_);
    }
  return 0;
}

} // namespace faultline::search
