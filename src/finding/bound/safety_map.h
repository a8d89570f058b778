// The map of a range: where no error counts (proved), where one does (found), and what is open. Plain data.
#pragma once

#include "frontend/target.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace faultline::finding {

using frontend::all_measures;
using frontend::error_measure_of;
using frontend::ErrorMeasure;
using frontend::text;

// For each input, its smallest and largest value.
using BoxEnds = std::vector<std::pair<double, double>>;

struct MapBox {
  BoxEnds ends;
  double bound = std::numeric_limits<double>::infinity(); // of the errors in it; infinity: none is proved
  // An input of the box whose error counts, confirmed by the oracle, and that error; empty: none was found.
  std::vector<long double> witness = {};
  double error = 0;

  bool operator==(const MapBox&) const = default;
};

struct SafetyMap {
  std::vector<MapBox> safe;   // proved: no error counts
  std::vector<MapBox> unsafe; // one was found that does
  std::vector<MapBox> open;
  // How much of the range each of the three is, in volume: of all boxes, also of those that are not told.
  std::array<double, 3> shares = {};

  bool empty() const { return safe.empty() && unsafe.empty() && open.empty(); }
  bool operator==(const SafetyMap&) const = default;
};

// What a fixed number of boxes proves of the ranges of a hunt.
struct Proof {
  ErrorMeasure measure = ErrorMeasure::relative;
  double threshold = 0; // in `measure`: what counts
  bool proved = false;  // no error counts, and nothing overflows or is undefined, for any input of the ranges
  // No error is larger, if it is proved: by `measure`, of errors that a hunt would count at all.
  double bound = std::numeric_limits<double>::infinity();
  std::string reason = {}; // why it is not proved
  uint64_t boxes = 0;      // that were looked at
  bool cut = false;        // the clock ended it
  SafetyMap map = {};      // if something was found

  bool operator==(const Proof&) const = default;
};

} // namespace faultline::finding
