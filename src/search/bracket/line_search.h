// The search along one line: it is sampled, the brackets between neighbouring samples are closed, and the peaks among
// the samples are climbed. What it finds goes to the scorer.
#pragma once

#include "search/bracket/danger.h"
#include "search/line.h"
#include "search/scorer.h"
#include "search/space.h"

#include <vector>

namespace faultline::search {

// Closing in on one place of a line: a bracket is bisected down to two neighbouring floats, a peak is climbed; then the
// floats around are scored, since the worst input sits beside a zero and not on it.

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

// How much to do on a line.
struct LineEffort {
  Density density;
  size_t brackets;         // closed, of all spots
  size_t brackets_of_spot; // of these, of one spot
  size_t peaks;            // climbed
};

class LineSearch {
public:
  LineSearch(Quest& quest, Scorer& scorer, DangerReader& reader, BracketCloser& closer);

  // `only_float`: no other float moves, so that how far errors reach on the line is worth telling. Returns the largest
  // error of the samples and brackets.
  double explore(const Line& line, const LineEffort& effort, bool only_float);

  // In another stratum other sites are dangerous.
  void forget_failures();

private:
  struct Sample {
    numeric::Int128 position = 0;
    tape::EstimatedError error = {};
    long double value = 0; // of the input that moves
    bool usable = false;   // it was run, and returned
  };
  struct LastReading { // of a spot
    size_t sample;
    double value;
  };
  struct SiteHistory { // of brackets that were closed
    int successes = 0, failures = 0;
  };
  static constexpr size_t no_sample = ~size_t(1); // plus 1 it is still no index

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
  std::vector<long double> constants_;
  size_t shown_ = 0; // samples that go to the oracle whatever their error
};

// In which order brackets are closed, when there are more than there is time for: one of every spot, then the next of
// every spot, and so on; crossings before decisions before jumps. Within a spot, brackets that are
// narrow on the real line take turns with any: a wide one of a function that oscillates has thousands of zeros, which
// are all alike, a narrow one has one of its own.

// At most `of_spot` of a spot with crossings, and fewer of the others.
std::vector<Bracket> in_turns(const std::vector<Bracket>& brackets, const DangerReader& reader, size_t of_spot,
                              numeric::Rng& rng);

// Inputs to start from: lines run through them, Newton steps leave from them, scouts look from them.

// The dimensions that a search along floats moves: floating, and not held.
std::vector<size_t> moving_floats(const Space& space);

// Of ordinary size, all alike in magnitude, or from anywhere.
exec::Input base_point(const Space& space, numeric::Rng& rng);

// Where code with steps takes many of them: anywhere in the reals of a range that was given, and of a range without
// bounds between 2^-4 and 2^20. Floats at random are mostly tiny or huge; one point in eight is made of such.
exec::Input ordinary_point(const Space& space, numeric::Rng& rng);

// `count` base points; in ranges that were given the first two lie near the ends, on either side of most zeros.
std::vector<exec::Input> spread_points(const Space& space, size_t count, numeric::Rng& rng);

} // namespace faultline::search
