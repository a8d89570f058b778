// The largest error of a function over a range, from both sides (faultline bound). Plain data.
#pragma once

#include "model/report.h"
#include "model/safety_map.h"
#include "model/target.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace faultline::model {

// Errors above this carry no information. Bounds in ulps reach it for results that can be 0.
inline constexpr double useless_bound = 1e100;

// Bounds of the largest error in the boxes that have a bound. `proven` is the upper bound; infinity: nothing is proved.
// The error is as large as `found` at this input.
struct BothSides {
  double proven = 0;
  double found = 0;
  std::vector<numeric::Value> input = {};

  bool operator==(const BothSides&) const = default;
};

struct BoundedOutput {
  std::string name;
  std::array<BothSides, all_measures.size()> sides; // in the order of all_measures

  const BothSides& of(ErrorMeasure measure) const { return sides[size_t(measure)]; }
  bool operator==(const BoundedOutput&) const = default;
};

// Inputs without a proved bound.
struct UnprovenBox {
  BoxEnds box;
  std::string reason;

  bool operator==(const UnprovenBox&) const = default;
};

// The largest box around a point in which no error counts.
struct SafeAround {
  std::vector<double> point;
  BoxEnds box = {}; // empty: nothing is proved at the point, or its error counts
  double bound = 0; // of the errors in it

  bool operator==(const SafeAround&) const = default;
};

// The error of a function of one input, for a plot: estimates at some inputs and bounds over stretches, by each
// measure.
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

// The final result of the worker.
struct Bounds {
  std::vector<BoundedOutput> outputs;
  uint64_t unproven = 0;                     // boxes
  BoxEnds unproven_hull = {};                // a box around all of them; empty if there are none
  std::vector<UnprovenBox> unproven_samples; // the largest ones
  SafetyMap map;                             // empty without a threshold
  std::optional<SafeAround> around = {};     // if requested
  ErrorCurve curve = {};                     // if requested
  std::vector<std::string> changing = {};    // variables for whose initial values they hold (runtime/abi.h)
  uint64_t boxes = 0, paths = 0, evaluations = 0;
  double seconds = 0;
  double proving_seconds = 0; // the part of `seconds` until the bounds were proved
  double nearly_seconds = 0;  // until the absolute bounds were within 1 % of the final ones
  bool stopped = false;       // stopped early on request

  bool complete() const { return unproven == 0; }
  bool operator==(const Bounds&) const = default;
};

struct BoundReport {
  std::string version;
  std::vector<std::string> command;
  uint64_t seed = 1;
  Target target;
  std::vector<InputRange> inputs;
  Bounds bounds;
  std::optional<double> threshold; // in `measure`
  ErrorMeasure measure = ErrorMeasure::relative;
  bool interrupted = false;
  std::string note;

  double found(ErrorMeasure measure) const;  // the largest over all outputs
  double proven(ErrorMeasure measure) const; // the largest over all outputs; infinity if a box is unproven
};

} // namespace faultline::model
