// The search along one line: it is sampled, the brackets between neighbouring samples are closed, and the peaks among
// the samples are climbed. What it finds goes to the scorer.
#pragma once

#include "search/bracket/bracket_closer.h"
#include "search/bracket/danger.h"
#include "search/line.h"
#include "search/sampling.h"
#include "search/scorer.h"

#include <vector>

namespace faultline::search {

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

} // namespace faultline::search
