// A line through the input space, walked in steps of floats: position t and t + 1 differ by one float in the input that
// moves most, and by no more in any other. Searches bisect and scan along lines; in one dimension the line is the
// space.
#pragma once

#include "search/space.h"

namespace faultline::search {

class Line {
public:
  // All values of one input, the others as in `base`.
  static Line along(const Space& space, const exec::Input& base, size_t dimension);
  // From one input to another.
  static Line between(const Space& space, const exec::Input& from, const exec::Input& to);

  numeric::Int128 length() const { return length_; } // positions are 0 .. length()
  void at(numeric::Int128 position, exec::Input& input) const;
  exec::Input at(numeric::Int128 position) const;
  // Where the moving input has this value, or the nearest to it on the line. For lines along one input.
  numeric::Int128 position(long double value) const;

  size_t dimension() const { return dimension_; } // the one that moves most
  const Space& space() const { return *space_; }

private:
  Line(const Space& space, exec::Input base, size_t dimension)
      : space_(&space), base_(std::move(base)), dimension_(dimension) {}

  struct MovingInput {
    size_t dimension;
    numeric::Int128 from, change;
  };
  const Space* space_;
  exec::Input base_;
  size_t dimension_;
  std::vector<MovingInput> moving_;
  numeric::Int128 length_ = 0;
};

} // namespace faultline::search
