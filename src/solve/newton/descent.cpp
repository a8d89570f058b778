#include "solve/newton/descent.h"

#include <algorithm>

namespace faultline::solve {

using State = Violation::State;

namespace {

constexpr int most_steps = 16;
constexpr double least_radius = 1e-14;

// With one choice of atoms. `best` is the point of least violation.
void descend_for(const Violation& violation, const Box& box, const std::vector<uint32_t>& atoms, State& best,
                 uint64_t end, const Deadline& deadline) {
  State current = best;
  double radius = 1;
  for (int i = 0; i < most_steps && current.score.unsatisfied != 0 && violation.work() < end && !deadline.passed();
       ++i) {
    const LinearModel model(violation, current, box, atoms);
    const auto step = model.usable() ? model.step(radius) : std::nullopt;
    if (!step || step->point == current.point)
      return;
    violation.add_work(step->operations / 4 + atoms.size() * violation.compiled().size() / 4);
    const Score before = current.score;
    violation.move(current, step->point);
    radius = std::min(radius, std::max(8 * radius * step->length, least_radius));
    if (!(current.score < before))
      radius = std::max(radius / 4, least_radius);
    if (current.score < best.score)
      best = current;
  }
}

} // namespace

void descend(const Violation& violation, const Box& box, State& state, uint64_t work, numeric::Rng* shuffle,
             const Deadline& deadline) {
  constexpr int most_choices = 3;
  const uint64_t end = violation.work() + work;
  std::vector<uint32_t> before;
  for (int i = 0; i < most_choices && state.score.unsatisfied != 0; ++i) {
    std::vector<uint32_t> atoms = chosen_atoms(violation, state, shuffle);
    if (atoms == before)
      return;
    descend_for(violation, box, atoms, state, end, deadline);
    before = std::move(atoms);
  }
}

} // namespace faultline::solve
