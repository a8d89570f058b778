// Closing in on one place of a line: a bracket is bisected down to two neighbouring floats, a peak is climbed; then the
// floats around are scored, since the worst input sits beside a zero and not on it.
#pragma once

#include "search/bracket/danger.h"
#include "search/line.h"
#include "search/scorer.h"

namespace faultline::search {

// Two positions of a line between which a spot's reading changes.
struct Bracket {
  Spot spot;
  numeric::Int128 low = 0, high = 0;
  double at_low = 0, at_high = 0;
  long double width = 0; // as a stretch of the reals
};

// The floats around a place that are scored: `close` on either side, then `far` more, twice as far away each time.
struct Surroundings {
  int close, far;
};

class BracketCloser {
public:
  BracketCloser(Scorer& scorer, DangerReader& reader, double threshold)
      : scorer_(scorer), reader_(reader), threshold_(threshold) {}

  // The largest error scored on the way; 0 if the bracket was given up, because the error does not grow towards its
  // centre or the spot is not reached there.
  double close(const Line& line, Bracket bracket);

  // From a position, in steps that start with `step` floats, upwards in the score: to where, and how high.
  struct Top {
    tape::EstimatedError error;
    numeric::Int128 position;
  };
  enum class Measure { relative, absolute, claim }; // absolute: among errors that count as relative ones
  Top climb(const Line& line, numeric::Int128 from, tape::EstimatedError error, numeric::Int128 step, uint32_t site,
            Measure measure = Measure::relative);

  double height(const tape::EstimatedError& error, Measure measure) const;

private:
  bool narrow(const Line& line, Bracket& bracket);
  double scan(const Line& line, numeric::Int128 centre, Surroundings around, uint32_t site);

  Scorer& scorer_;
  DangerReader& reader_;
  double threshold_;
  exec::Input input_;
};

} // namespace faultline::search
