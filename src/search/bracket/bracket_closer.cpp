#include "search/bracket/bracket_closer.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace faultline::search {

using numeric::Int128;

namespace {

// Guesses; the distances are in floats, of the 2^52 in a binade of binary64.
constexpr Int128 near = Int128(1) << 20;     // here the error must be seen to grow
constexpr int patience = 2;                  // steps that do not show it
constexpr Int128 straight = Int128(1) << 48; // here a danger function is a straight line
constexpr double hopeless = 1e-2;            // error, in thresholds
constexpr size_t kept = 3;                   // floats of a scan
constexpr int most_climbing_steps = 160;
constexpr int first_shrink = 2, shrink = 8; // of a climbing step that failed, after a success and after a failure
constexpr Surroundings of_jump{0, 0}, of_decision{2, 4}, of_crossing{1, 1}, of_bad_crossing{4, 4}, of_peak{2, 2};

// Where a straight line through both readings is zero, kept inside.
Int128 secant(const Bracket& bracket) {
  const Int128 width = bracket.high - bracket.low;
  const double share = std::fabs(bracket.at_low) / (std::fabs(bracket.at_low) + std::fabs(bracket.at_high));
  const Int128 step = std::isfinite(share) ? Int128((long double)width * share) : width / 2;
  return bracket.low + std::clamp<Int128>(step, 1, width - 1);
}

} // namespace

// Bisection; on the last stretch two steps of three are secants, and after one the reading at the end that stays is
// halved, so that the next comes nearer to it and both ends move.
bool BracketCloser::narrow(const Line& line, Bracket& bracket) {
  const Signal signal = reader_.signal(bracket.spot);
  bool watched = signal != Signal::crossing;
  int tries = 0;
  for (int step = 0; bracket.high - bracket.low > 1; ++step) {
    if (scorer_.spent())
      return false;
    const Int128 width = bracket.high - bracket.low;
    const bool by_secant = signal != Signal::jump && width < straight && step % 3 != 2;
    const Int128 middle = by_secant ? secant(bracket) : bracket.low + width / 2;
    line.at(middle, input_);
    const tape::Tape tape = scorer_.run(input_);
    if (!scorer_.usable())
      return false;
    const double here = reader_.read(tape, bracket.spot);
    if (std::isnan(here))
      return false;
    if (!watched && width <= near) {
      // An error that grows towards the centre like 1 / distance is this many times larger there.
      watched = scorer_.error(tape).relative * double(width) >= hopeless * threshold_;
      if (!watched && ++tries == patience)
        return false;
    }
    if (changes(signal, bracket.at_low, here)) {
      bracket.high = middle;
      bracket.at_high = here;
      if (by_secant)
        bracket.at_low /= 2;
    } else {
      bracket.low = middle;
      bracket.at_low = here;
      if (by_secant)
        bracket.at_high /= 2;
    }
  }
  return true;
}

double BracketCloser::scan(const Line& line, Int128 centre, Surroundings around, uint32_t site) {
  std::vector<std::pair<double, Int128>> best;
  auto look = [&](Int128 position) {
    if (position < 0 || position > line.length() || scorer_.spent())
      return;
    line.at(position, input_);
    best.emplace_back(scorer_.score(input_).error.relative, position);
  };
  for (int i = -around.close; i <= around.close + 1; ++i)
    look(centre + i);
  for (int i = 0; i < around.far; ++i) {
    look(centre - (Int128(around.close) << (i + 1)));
    look(centre + 1 + (Int128(around.close) << (i + 1)));
  }
  std::sort(best.begin(), best.end(),
            [](const auto& a, const auto& b) { return a.first != b.first ? a.first > b.first : a.second < b.second; });
  for (size_t i = 0; i < std::min(kept, best.size()); ++i)
    scorer_.keep(line.at(best[i].second), site, best[i].first);
  return best.empty() ? 0 : best.front().first;
}

double BracketCloser::close(const Line& line, Bracket bracket) {
  if (!narrow(line, bracket))
    return 0;
  switch (reader_.signal(bracket.spot)) {
  case Signal::jump:
    return scan(line, bracket.low, of_jump, bracket.spot.site());
  case Signal::decision:
    return scan(line, bracket.low, of_decision, bracket.spot.site());
  default:
    break;
  }
  const double first = scan(line, bracket.low, of_crossing, bracket.spot.site());
  if (first < hopeless * threshold_)
    return first;
  return std::max(first, scan(line, bracket.low, of_bad_crossing, bracket.spot.site()));
}

double BracketCloser::height(const tape::EstimatedError& error, Measure measure) const {
  switch (measure) {
  case Measure::relative:
    return error.relative;
  case Measure::absolute:
    return error.relative >= threshold_ ? error.absolute : 0;
  default:
    return error.over_claim;
  }
}

BracketCloser::Top BracketCloser::climb(const Line& line, Int128 from, tape::EstimatedError error, Int128 step,
                                        uint32_t site, Measure measure) {
  int failures = 0;
  for (int steps = 0; step >= 1 && steps < most_climbing_steps && !scorer_.spent(); ++steps) {
    bool moved = false;
    for (const Int128 to : {from + step, from - step}) {
      if (to < 0 || to > line.length() || scorer_.spent())
        continue;
      line.at(to, input_);
      if (const tape::EstimatedError there = scorer_.score(input_).error;
          height(there, measure) > height(error, measure)) {
        error = there;
        from = to;
        moved = true;
        break;
      }
    }
    if (moved)
      step = std::exchange(failures, 0) == 0 ? std::min(step * 2, line.length()) : step;
    else
      step /= ++failures > 1 ? shrink : first_shrink;
  }
  if (measure == Measure::relative) {
    scorer_.keep(line.at(from), site, error.relative);
    scan(line, from, of_peak, site); // the very top may be a pole, where no operation is to blame
  }
  if (measure == Measure::absolute)
    scorer_.insist(line.at(from), site, error.relative);
  return {error, from};
}

} // namespace faultline::search
