// The map of a range: where no error counts (proved), where one does (found), and what is open. Plain data.
#pragma once

#include "model/target.h"

#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace faultline::model {

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
  std::string reason = {};                // why it is not proved
  uint64_t boxes = 0;                     // number of boxes examined
  bool cut = false;                       // the time limit ended it
  SafetyMap map = {};                     // if something was found
  std::vector<std::string> changing = {}; // variables for whose initial values it holds (runtime/abi.h)

  bool operator==(const Proof&) const = default;
};

// A map in words: "safe for |x| >= 1.3e-05 (proved); wrong by up to 100 % within |x| <= 9.6e-06".

// Returns "12 %" for a relative error that is not tiny, else "1.2e-07" or "3 ulps". The error is rounded down.
std::string found_words(double error, ErrorMeasure measure);

// Describes the safe part of a map over input number `input`: "safe for x >= 2 (proved)"; empty if nothing is safe.
// Numbers are rounded towards the inside of the proved part.
std::string safe_words(const SafetyMap& map, size_t input, const std::string& name);
// Returns "wrong by up to 100 % within |x| <= 9.6e-06"; empty if nothing was found. The stretch contains every witness
// and no safe input.
std::string unsafe_words(const SafetyMap& map, size_t input, const std::string& name, ErrorMeasure measure);
// Returns "open for 9.6e-06 <= |x| <= 1.3e-05": the inputs outside of the other two.
std::string open_words(const SafetyMap& map, size_t input, const std::string& name);

} // namespace faultline::model
