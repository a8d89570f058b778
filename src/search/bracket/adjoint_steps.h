// Newton steps along the adjoint: from a point of a space with several inputs to the zero of a danger function whose
// sign no line has seen change. The step is the least change, relative to the inputs, that makes it zero to first
// order; the way there is a line, on which the zero is closed in on.
#pragma once

#include "search/bracket/bracket_closer.h"

namespace faultline::search {

class AdjointSteps {
public:
  AdjointSteps(Quest& quest, Scorer& scorer, DangerReader& reader, BracketCloser& closer);

  // Towards some of the danger functions of this point.
  void follow(const exec::Input& base);

private:
  void follow(exec::Input point, Spot spot);
  exec::Input newton_step(const exec::Input& point, double value, const std::vector<double>& slopes) const;

  Quest& quest_;
  Scorer& scorer_;
  DangerReader& reader_;
  BracketCloser& closer_;
  std::vector<size_t> floats_; // dimensions that move
};

} // namespace faultline::search
