// What a hunt in one function searches for. Plain data. Meaning, text form, default and place of each field are in one
// table (model/settings/table.h).
#pragma once

#include "model/target.h"
#include "numeric/format.h"

#include <cfloat>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace faultline::model {

struct Range {
  numeric::Value low = 0;
  numeric::Value high = 0;

  bool operator==(const Range&) const = default;
};

// --everyday: the values of an input in practice. `least` is the smallest magnitude other than 0; 0 if it is unknown.
struct Everyday {
  numeric::Value low = 0;
  numeric::Value high = 0;
  numeric::Value least = 0;

  bool operator==(const Everyday&) const = default;
};

enum class OracleName : uint8_t { lifted, replay, reference, none };
std::string_view text(OracleName oracle);

struct WantedKinds { // --for
  bool error = true;
  bool exceptions = true;
  bool crashes = true;
  bool branches = true;
  bool bound = true;

  bool operator==(const WantedKinds&) const = default;
};

// --status NAME=VALUE: an output that reports success, and its value for success.
struct Status {
  std::string output;
  numeric::Value success = 0;

  bool operator==(const Status&) const = default;
};

// Where to search (search/space.h).
enum class Scope : uint8_t { everyday, all };

// The default for the relative error from which on a result is a failure: ATOMU, section 5.2.3.
inline constexpr double failure = 1e-3;

// The reference size for the error of an array's element: the element, or the whole array by its largest element or its
// Euclidean length.
enum class Norm : uint8_t { component, infinity, two };
std::string_view text(Norm norm); // as typed: component, inf, 2
std::optional<Norm> norm_of(std::string_view text);

struct Settings {
  std::map<std::string, std::vector<uint64_t>> sizes; // --size, by parameter; "*" is for all
  std::map<std::string, std::string> aliases;         // --alias
  std::vector<std::string> setups;                    // --setup: functions that make objects
  std::map<std::string, Range> ranges;                // --range, by input cell (x, A[3]) or parameter (A)
  std::map<std::string, Everyday> everyday;           // --everyday, by the same names
  std::map<std::string, numeric::Format> formats;     // --format
  std::map<std::string, numeric::Value> held;         // --hold
  std::vector<std::string> assumptions;               // --assume (model/assumption.h)
  std::vector<std::string> outputs;                   // --output
  std::vector<std::string> bounds;                    // --bound: outputs that are bounds of the error of another
  double bound_factor = 10;                           // a bound is violated by an error this many times as large
  std::optional<Status> status;                       // --status
  std::vector<std::string> rejects;                   // --reject: handlers, auto, none (program/handlers.h)
  std::optional<double> threshold;                    // relative error that counts; default: `failure`
  std::optional<double> ulps;                         // instead of the relative error
  std::optional<double> absolute;                     // instead of both: an absolute error
  std::optional<Norm> norm;                           // --norm: of arrays' errors; default: by the array's shape
  std::vector<std::string> unordered;                 // --unordered: arrays whose elements have no order
  std::vector<std::string> up_to_sign;                // --up-to-sign: outputs whose sign is free
  double floor = 0;                                   // relative errors of smaller exact results are measured by it
  bool nonzero = false; // only inputs whose exact result is at least the floor, or the smallest normal float
  OracleName oracle = OracleName::lifted;
  std::string reference_file, reference_function; // --reference FILE:FUNCTION
  std::vector<std::string> means; // --means: EXPRESSION, FUNCTION=EXPRESSION, auto, none; later ones win
  WantedKinds wanted;
  Scope scope = Scope::all;
  std::string strategy = "auto";
  double budget_seconds = 10;
  std::optional<uint64_t> evaluations;
  bool single_pass = false; // in a suite: no further rounds while no candidate counts
  uint64_t seed = 1;
  CheckSampling sampling = CheckSampling::uniform;
  uint64_t sampling_start = 1;
  std::optional<uint64_t> sampling_step;
  std::optional<int> loss_bits, cancellation_bits;
  std::vector<CheckedLine> lines; // --site
  bool all = false;               // --all: includes folded exceptions, suppressed and known findings
  bool past_exceptions = false;   // --past-exceptions: paths go on after an infinity or a NaN
  bool skip = false;              // tested only if it is named with -f

  bool operator==(const Settings&) const = default;
};

// The time for finding an input for each branch outcome. Solvers need more than a search. A guess.
inline double seconds_to_explore(const Settings& settings) { return 6 * settings.budget_seconds; }

// The smallest exact result that --nonzero accepts.
inline double smallest_result(const Settings& settings) {
  return settings.floor > 0 ? settings.floor : double(FLT_MIN);
}

// Reads values of options from text: x=LO:HI, A=4x4, 10s. Every function throws UserError that quotes the option and
// the value and describes the expected form.

// Splits NAME=VALUE at the first '='.
std::pair<std::string, std::string> named(const std::string& option, const std::string& text, const char* form);

std::pair<std::string, Range> range_from(const std::string& text);                // x=LO:HI
std::pair<std::string, Everyday> everyday_from(const std::string& text);          // x=LO:HI, x=LO:HI:LEAST
std::pair<std::string, std::vector<uint64_t>> size_from(const std::string& text); // A=32, A=4x4, 32 (for all)
std::pair<std::string, std::string> alias_from(const std::string& text);          // y=x
std::pair<std::string, numeric::Format> format_from(const std::string& text);     // x=binary32
std::pair<std::string, numeric::Value> held_from(const std::string& text);        // n=4
Status status_from(const std::string& text);                                      // return=0, return
std::pair<std::string, std::string> reference_from(const std::string& text);      // FILE:FUNCTION
Norm norm_from(const std::string& text);                                          // inf, 2, component
WantedKinds wanted_from(const std::string& text);                                 // error,crashes
OracleName oracle_from(const std::string& text);
CheckedLine checked_line_from(const std::string& text);                // FILE:LINE
Scope scope_from(const std::string& text);                             // everyday, all
CheckSampling sampling_from(const std::string& text);                  // uniform, log
int exponent_bits(const std::string& option, const std::string& text); // a number of bits, from 1

double duration(const std::string& option, const std::string& text);         // 10s, 500ms, 2m, 1h, 10: in seconds
double positive(const std::string& option, const std::string& text);         // a finite number above 0
uint64_t whole(const std::string& option, const std::string& text);          // a whole number
uint64_t positive_whole(const std::string& option, const std::string& text); // and not 0

std::vector<std::string> comma_list(const std::string& text); // a,b,c

// Reads --at x=1e-7, --at x=1e-7,y=2, --at A=1,2,3: a part without a name continues the array before it. The result has
// one entry per input cell: x, y, A[0], A[1], A[2]. A single value keeps the name as written.
std::map<std::string, std::string> input_from(const std::vector<std::string>& texts);

} // namespace faultline::model
