#include "search/bracket/adjoint_steps.h"

#include "search/bracket/base_points.h"
#include "tape/adjoint.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace faultline::search {
namespace {

constexpr size_t newton_spots = 6, newton_steps = 5; // of a base point, and of each of these spots: guesses

long double weight(long double x) { return x == 0 ? 1 : std::fabs(x); }

} // namespace

AdjointSteps::AdjointSteps(Quest& quest, Scorer& scorer, DangerReader& reader, BracketCloser& closer)
    : quest_(quest), scorer_(scorer), reader_(reader), closer_(closer), floats_(moving_floats(quest.space)) {}

void AdjointSteps::follow(const exec::Input& base) {
  const tape::Tape tape = scorer_.run(base);
  if (!scorer_.usable())
    return;
  std::vector<Reading> all, chosen;
  reader_.read(tape, all);
  for (const Reading& reading : all)
    if (reader_.signal(reading.spot) == Signal::crossing && reading.value != 0)
      chosen.push_back(reading);
  for (size_t i = 0; i < std::min(newton_spots, chosen.size()) && !scorer_.spent(); ++i) {
    std::swap(chosen[i], chosen[i + quest_.rng.below(chosen.size() - i)]);
    follow(base, chosen[i].spot);
  }
}

void AdjointSteps::follow(exec::Input point, Spot spot) {
  for (size_t i = 0; i < newton_steps && !scorer_.spent(); ++i) {
    tape::Tape tape = scorer_.run(point);
    const uint32_t record = scorer_.usable() ? reader_.find(tape, spot) : 0;
    if (record == 0)
      return;
    const double here = reader_.read(tape, spot);
    if (here == 0) {
      scorer_.keep(point, spot.site(), scorer_.error(tape).relative);
      return;
    }
    const exec::Input step = newton_step(point, here, tape::adjoint(tape, record));
    // To the zero by a straight line, and as far again: the sign changes on the way if the line is nearly straight.
    exec::Input beyond = point;
    for (size_t d : floats_)
      beyond[d] = quest_.space.dimensions[d].nearest(point[d] + 2 * step[d]);
    if (scorer_.spent())
      return;
    tape = scorer_.run(beyond);
    if (const double there = scorer_.usable() ? reader_.read(tape, spot) : std::nan("");
        !std::isnan(there) && changes(Signal::crossing, here, there)) {
      const Line line = Line::between(quest_.space, point, beyond);
      closer_.close(line, {spot, 0, line.length(), here, there});
      return;
    }
    for (size_t d : floats_)
      point[d] = quest_.space.dimensions[d].nearest(point[d] + step[d]);
  }
}

exec::Input AdjointSteps::newton_step(const exec::Input& point, double value, const std::vector<double>& slopes) const {
  exec::Input step(point.size());
  long double norm = 0;
  for (size_t d : floats_)
    norm += std::pow((long double)slopes[d + 1] * weight(point[d]), 2.0L);
  if (norm > 0)
    for (size_t d : floats_)
      step[d] = -value * slopes[d + 1] * weight(point[d]) * weight(point[d]) / norm;
  return step;
}

} // namespace faultline::search
