// Steps of Newton's kind in all variables, from a start toward a model: sequential linear programming in a trust
// region.
//
// Every step is taken, for Newton's method need not descend on its way; but the region shrinks when a step does not
// help, and follows the length of the steps, so that the last ones are exact to fractions of a float. (To take only
// steps that raise the margin was tried: it gets stuck on the worst row where the other rows still have far to go.)
#pragma once

#include "solve/newton/linear_model.h"
#include "solve/solver.h"

namespace faultline::solve {

// Moves `state` to the point of least violation that was seen. `shuffle` as in linear_model.h.
void descend(const Violation& violation, const Box& box, Violation::State& state, uint64_t work, numeric::Rng* shuffle,
             const Deadline& deadline);

} // namespace faultline::solve
