// The largest error of a function over a range, from both sides (faultline bound). Plain data.
#pragma once

#include "finding/bound/safety_map.h"
#include "finding/report.h"
#include "frontend/target.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace faultline::finding {

// Larger than any error that says something: in ulps of results that can be 0, bounds are.
inline constexpr double useless_bound = 1e100;

// No error is above `proven`, in the boxes that have a bound; infinity: nothing is proved. One is as large as `found`,
// at this input.
struct BothSides {
  double proven = 0;
  double found = 0;
  std::vector<long double> input = {};

  bool operator==(const BothSides&) const = default;
};

struct BoundedOutput {
  std::string name;
  std::array<BothSides, all_measures.size()> sides; // in the order of all_measures

  const BothSides& of(ErrorMeasure measure) const { return sides[size_t(measure)]; }
  bool operator==(const BoundedOutput&) const = default;
};

// Inputs for which nothing is proved.
struct UnprovenBox {
  BoxEnds box;
  std::string reason;

  bool operator==(const UnprovenBox&) const = default;
};

// The largest box around a point in which no error counts.
struct SafeAround {
  std::vector<double> point;
  BoxEnds box = {}; // empty: even at the point nothing is proved, or the error there counts
  double bound = 0; // of the errors in it

  bool operator==(const SafeAround&) const = default;
};

// Of a function of one input, for a plot: errors at some inputs, estimated, and bounds over stretches; of each measure.
struct ErrorCurve {
  struct Point {
    double at = 0;
    std::array<double, all_measures.size()> errors = {};

    bool operator==(const Point&) const = default;
  };
  struct Stretch {
    double low = 0, high = 0;
    std::array<double, all_measures.size()> bounds = {}; // infinity: none

    bool operator==(const Stretch&) const = default;
  };
  std::vector<Point> points;
  std::vector<Stretch> stretches;

  bool operator==(const ErrorCurve&) const = default;
};

// What the worker has to say at the end.
struct Bounds {
  std::vector<BoundedOutput> outputs;
  uint64_t unproven = 0;                     // boxes
  BoxEnds unproven_hull = {};                // all of them are in it; empty if there are none
  std::vector<UnprovenBox> unproven_samples; // the largest of them
  SafetyMap map;                             // empty without a threshold
  std::optional<SafeAround> around = {};     // if it was asked for
  ErrorCurve curve = {};                     // the same
  uint64_t boxes = 0, paths = 0, evaluations = 0;
  double seconds = 0;
  double proving_seconds = 0; // of these, until the bounds were proved
  double nearly_seconds = 0;  // until the absolute ones were within 1 % of what they came to
  bool stopped = false;       // before it was done, by who asked for it

  bool complete() const { return unproven == 0; }
  bool operator==(const Bounds&) const = default;
};

struct BoundReport {
  std::string version;
  std::vector<std::string> command;
  uint64_t seed = 1;
  frontend::Target target;
  std::vector<InputRange> inputs;
  Bounds bounds;
  std::optional<double> threshold; // in `measure`
  ErrorMeasure measure = ErrorMeasure::relative;
  bool interrupted = false;
  std::string note;

  double found(ErrorMeasure measure) const;  // the largest of all outputs
  double proven(ErrorMeasure measure) const; // the same; infinity if anything is unproven
};

} // namespace faultline::finding
