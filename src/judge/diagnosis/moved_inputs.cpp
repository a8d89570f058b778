#include "judge/diagnosis/moved_inputs.h"

#include "oracle/judgement.h"

#include <algorithm>
#include <cmath>

namespace faultline::judge {
namespace {

constexpr size_t most_inputs = 8; // two lifted runs for each: as many as an oracle that doubles its precision twice

// The exact result there, against the reference.
std::optional<double> distance_at(exec::Session& session, const exec::Input& input, size_t output,
                                  const numeric::BigFloat& reference, long precision) {
  const exec::LiftedRun run = session.lift(input, precision);
  if (run.outcome != exec::Outcome::returned)
    return std::nullopt;
  numeric::BigFloat difference(precision);
  mpfr_sub(difference.raw(), run.outputs[oracle::among_floats(session.target(), output)].raw(), reference.raw(),
           MPFR_RNDN);
  mpfr_div(difference.raw(), difference.raw(), reference.raw(), MPFR_RNDN);
  const double distance = std::fabs(difference.to_double());
  return std::isnan(distance) ? std::nullopt : std::optional(distance);
}

} // namespace

std::optional<double> moved_by_inputs(exec::Session& session, const search::Space& space, const exec::Input& input,
                                      size_t output, const numeric::BigFloat& reference, long precision) {
  std::vector<size_t> floats;
  for (size_t i = 0; i < input.size(); ++i)
    if (space.dimensions[i].floating && input[i] != 0)
      floats.push_back(i);
  if (floats.size() > most_inputs || reference.is_zero() || !reference.is_finite())
    return std::nullopt;
  double moved = 0;
  for (const size_t i : floats) {
    const search::Dimension& dimension = space.dimensions[i];
    double worse = 0;
    for (const int direction : {-1, 1}) {
      exec::Input neighbour = input;
      neighbour[i] = dimension.at(dimension.order(input[i]) + direction);
      const std::optional<double> distance = distance_at(session, neighbour, output, reference, precision);
      if (!distance)
        return std::nullopt;
      worse = std::max(worse, *distance / 2);
    }
    moved += worse;
  }
  return moved;
}

} // namespace faultline::judge
