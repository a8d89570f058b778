// What the run of a whole program showed (faultline run).
#pragma once

#include <cstdint>
#include <limits>
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
};

struct RunOutput {
  uint64_t line = 0; // of standard output; 0: another file
  double value = 0;
  double digits = unknown_digits; // right decimal digits
  RunPlace place, cause;          // the call that prints; what contributed most to the error
};

struct RunReport {
  std::vector<std::string> command;
  int status = 0, signal = 0;
  uint64_t processes = 0;
  double instrumented = -1;                    // share of the program's own code; negative: unknown
  double seconds = 0;                          // CPU time of the twin
  std::string captured;                        // "captured 3 of 4 objects; missing: ..."
  std::vector<std::string> libraries, foreign; // that are not instrumented
  uint64_t long_doubles = 0;                   // operations in the code, of formats that are not followed
  uint64_t printed = 0;                        // numbers; `outputs` has the first ones
  std::vector<RunOutput> outputs;
  std::vector<RunSite> sites; // those with something to report, most important first
};

} // namespace faultline::model
