// The search along one line: it samples the line, closes the brackets between neighbouring samples and climbs the peaks
// among the samples. The scorer gets the results.
#pragma once

#include "search/bracket/danger.h"
#include "search/line.h"
#include "search/scorer.h"
#include "search/space.h"

#include <vector>

namespace faultline::search {

// Closes in on one place of a line: a bracket is bisected down to two neighbouring floats, a peak is climbed. Then the
// floats around it are scored, since the worst input is next to a zero and not on it.

// Two positions of a line between which a spot's reading changes.
struct Bracket {
  Spot spot;
  numeric::Int128 low = 0, high = 0;
  double at_low = 0, at_high = 0;
  Value width = 0; // as a stretch of the reals
};

// The floats around a place that are scored: `close` on either side, then `far` more with doubling distance.
struct Surroundings {
  int close, far;
};

class BracketCloser {
public:
  BracketCloser(Scorer& scorer, DangerReader& reader, double threshold)
      : scorer_(scorer), reader_(reader), threshold_(threshold) {}

  // Returns the largest error scored on the way; 0 if the bracket was dropped because the error does not grow towards
  // its centre or the spot is not reached there.
  double close(const Line& line, Bracket bracket);

  // Climbs the score from a position, in steps that start with `step` floats. Returns the top.
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

// The effort for a line.
struct LineEffort {
  Density density;
  size_t brackets;         // closed, of all spots
  size_t brackets_of_spot; // closed, of one spot
  size_t peaks;            // climbed
};

class LineSearch {
public:
  LineSearch(Quest& quest, Scorer& scorer, DangerReader& reader, BracketCloser& closer);

  // `only_float`: no other float moves, so the extent of errors on the line is worth reporting. Returns the largest
  // error of the samples and brackets.
  double explore(const Line& line, const LineEffort& effort, bool only_float);

  // Other sites are dangerous in another stratum.
  void forget_failures();

private:
  struct Sample {
    numeric::Int128 position = 0;
    tape::EstimatedError error = {};
    Value value = 0;     // of the moving input
    bool usable = false; // it ran and returned
  };
  struct LastReading { // of a spot
    size_t sample;
    double value;
  };
  struct SiteHistory { // closed brackets of a site
    int successes = 0, failures = 0;
  };
  static constexpr size_t no_sample = ~size_t(1); // plus 1 it is still not an index

  void sample(const Line& line, const Density& density);
  void find_brackets();
  void close_brackets(const Line& line, const LineEffort& effort);
  void climb_peaks(const Line& line, size_t most, BracketCloser::Measure measure);
  void keep_ends(const Line& line);

  Quest& quest_;
  Scorer& scorer_;
  DangerReader& reader_;
  BracketCloser& closer_;
  double largest_ = 0; // error, of the line explored last
  std::vector<Sample> samples_;
  std::vector<Bracket> brackets_;
  std::vector<LastReading> last_readings_;     // by spot
  std::vector<SiteHistory> histories_;         // by site
  std::vector<std::vector<Reading>> readings_; // by sample
  std::vector<Value> constants_;
  size_t shown_ = 0; // samples for the oracle whatever their error
};

// The order in which brackets are closed when there is not time for all: one of every spot, then the next of every
// spot, and so on; crossings before decisions before jumps. Within a spot, brackets that are narrow on the real line
// alternate with any others: a wide one of an oscillating function has thousands of similar zeros, a narrow one has a
// single zero.

// At most `of_spot` per spot with crossings, and fewer of the others.
std::vector<Bracket> in_turns(const std::vector<Bracket>& brackets, const DangerReader& reader, size_t of_spot,
                              numeric::Rng& rng);

// Base points: lines run through them, Newton steps and scouts start from them.

// A point of ordinary size, with similar magnitudes, or from anywhere.
exec::Input base_point(const Space& space, numeric::Rng& rng);

// A point where code takes many steps: uniform over the reals of a given range, or between 2^-4 and 2^20 if the range
// has no bounds. Random floats are mostly tiny or huge, so one point in eight is of this kind.
exec::Input ordinary_point(const Space& space, numeric::Rng& rng);

// `count` base points. In given ranges the first two lie near the ends, on either side of most zeros.
std::vector<exec::Input> spread_points(const Space& space, size_t count, numeric::Rng& rng);

} // namespace faultline::search
