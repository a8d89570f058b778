// The largest error of a function over a range, from both sides (faultline bound). Plain data.
#pragma once

#include "finding/report.h"
#include "frontend/target.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace faultline::finding {

// In what an error is measured.
enum class ErrorMeasure : uint8_t { absolute, ulps, relative };
inline constexpr std::array all_measures = {ErrorMeasure::absolute, ErrorMeasure::ulps, ErrorMeasure::relative};
std::string_view text(ErrorMeasure measure);

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

// For each input, its smallest and largest value.
using BoxEnds = std::vector<std::pair<double, double>>;

// Inputs for which nothing is proved.
struct UnprovenBox {
  BoxEnds box;
  std::string reason;

  bool operator==(const UnprovenBox&) const = default;
};

// Where the error counts (--threshold, --ulps, --absolute), and where not.
struct SafetyMap {
  std::vector<BoxEnds> safe;   // proved: no error counts
  std::vector<BoxEnds> unsafe; // one was found that does
  std::vector<BoxEnds> open;

  bool operator==(const SafetyMap&) const = default;
};

// What the worker has to say at the end.
struct Bounds {
  std::vector<BoundedOutput> outputs;
  uint64_t unproven = 0;                     // boxes
  std::vector<UnprovenBox> unproven_samples; // the largest of them
  SafetyMap map;                             // empty without a threshold
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
