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

// The smallest and largest value of each input.
using BoxEnds = std::vector<std::pair<double, double>>;

struct MapBox {
  BoxEnds ends;
  double bound = std::numeric_limits<double>::infinity(); // of the errors in the box; infinity: no bound is proved
  // An input of the box whose error counts, confirmed by the oracle, and that error. Empty if none was found.
  std::vector<numeric::Value> witness = {};
  double error = 0;

  bool operator==(const MapBox&) const = default;
};

struct SafetyMap {
  std::vector<MapBox> safe;   // proved: no error counts
  std::vector<MapBox> unsafe; // an error that counts was found
  std::vector<MapBox> open;
  // The share of the range's volume of each of the three, including boxes that are not listed.
  std::array<double, 3> shares = {};

  bool empty() const { return safe.empty() && unsafe.empty() && open.empty(); }
  bool operator==(const SafetyMap&) const = default;
};

// The result of a proof over the ranges of a hunt with a fixed number of boxes.
struct Proof {
  ErrorMeasure measure = ErrorMeasure::relative;
  double threshold = 0; // in `measure`: larger errors count
  bool proved = false;  // no error counts, and nothing overflows or is undefined, for any input of the ranges
  // The proved bound, by `measure`, of the errors that a hunt would count at all.
  double bound = std::numeric_limits<double>::infinity();
  std::string reason = {}; // why it is not proved
  uint64_t boxes = 0;      // number of boxes examined
  bool cut = false;        // the time limit ended it
  SafetyMap map = {};      // if something was found

  bool operator==(const Proof&) const = default;
};

} // namespace faultline::finding
