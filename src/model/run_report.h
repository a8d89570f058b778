// What the run of a whole program showed (faultline run).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace faultline::model {

inline constexpr double unknown_digits = std::numeric_limits<double>::quiet_NaN();

struct RunPlace {
  std::string file, function;
  int line = 0, column = 0; // 0: unknown
};

// An operation that lost digits, went the wrong way, or made a NaN or an infinity.
struct RunSite {
  RunPlace place;
  std::string operation;
  uint64_t executions = 0; // at least: threads may lose counts
  double loss = 0;         // the most digits lost at one execution, by cancellation
  uint64_t losses = 0;     // executions that lost three digits or more
  uint64_t flips = 0, unknown = 0;
  uint64_t nans = 0, infinities = 0;
  double value = 0, residue = 0; // of the largest loss, or of the first flip
  uint64_t nan_ends = 0;         // NaN that a comparison, minimum or maximum takes and does not pass on
  uint64_t uninitialised = 0; // not 0: the first value that was read before it was written is used here
  RunPlace origin = {};          // where the memory of that value is from
  uint64_t exits = 0;            // of a loop by its tolerance
  uint64_t widened = 0;          // inexact results of single precision that become doubles
  uint64_t noise = 0;            // tests of a tolerance by a quantity without a right digit
  double constant = 0;           // of single precision among doubles; 0: none
  // By further runs; nothing: not known.
  std::optional<bool> mattered =
      {};                 // the exact outcomes of the comparison, or other values of fresh memory, change results
  bool confirmed = false; // the same happened in another run
};

// A loop that ends by a tolerance, and the printed numbers that a smaller tolerance changes by more than rounding.
struct RunTolerance {
  RunPlace place;
  uint64_t numbers = 0;
  size_t worst = 0;   // of RunReport::outputs
  double digits = 0;  // in which it agrees
  bool noise = false; // the tolerance is not reached: the quantity that is compared has no right digit
};

struct RunSample {
  uint64_t event = 0; // the number of the assignment; of an array: as many stores as it has elements
  double value = 0;   // of an array: the norm
  double digits = unknown_digits;
};

// A variable that the user watches.
struct RunWatch {
  std::string name;
  std::vector<RunPlace> places = {};      // of its declarations
  uint64_t events = 0, elements = 0;      // elements: more than 1 of an array
  RunSample last = {}, worst = {};
  std::vector<RunSample> samples = {};    // the time line, evenly spaced
};

struct RunCalls {
  std::string function, library; // empty: one of C, C++ or Fortran
  uint64_t times = 0;
};

// Further runs of the same input (run/second_runs.h).
struct RunRepeat {
  bool repeated = false; // the second run printed the same numbers
  std::string reason;    // why not, or why there was none
  int runs = 0;
};

struct RunOutput {
  uint64_t line = 0; // of standard output; 0: another file
  double value = 0;
  double digits = unknown_digits; // right decimal digits
  double residue = 0;             // exact minus computed
  bool confirmed = false;         // as many digits in another run with other residues
  RunPlace place, cause;          // the call that prints; what contributed most to the error
};

struct RunReport {
  std::vector<std::string> command;
  std::optional<uint64_t> rank; // among the processes of an MPI program
  int status = 0, signal = 0;
  uint64_t processes = 0;
  double instrumented = -1;                    // share of the program's own code; negative: unknown
  double seconds = 0;                          // CPU time of the twin
  std::string captured;                        // "captured 3 of 4 objects; missing: ..."
  std::vector<std::string> libraries, foreign; // that are not instrumented
  uint64_t followed = 0, not_followed = 0;     // executed float operations: with residues; in other formats
  std::vector<RunCalls> calls;                 // of code that is not instrumented, the most frequent first
  uint64_t printed = 0;                        // numbers; `outputs` has the first ones
  std::vector<RunOutput> outputs;
  std::vector<RunWatch> watched;
  std::vector<RunTolerance> tolerances;
  RunRepeat repeat;
  std::vector<RunSite> sites; // those with something to report, most important first
};

} // namespace faultline::model
