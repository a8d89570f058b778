// One input, and all that is known of it: what faultline explain shows.
#pragma once

#include "finding/report.h"
#include "frontend/target.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::finding {

// One operation of a run, as explain shows it. Plain data.
struct OperationRow {
  std::string file;
  int line = 0, column = 0;
  std::string function;
  std::string operation;             // fsub
  std::string text;                  // "v4 = v2 - v3" in terms of rows; operands are inputs, constants or rows
  std::vector<std::string> operands; // values, shortest decimal
  std::vector<double> conditions;    // one an operand
  std::string result;
  std::string reference;     // high-precision value on the same path
  double relative_error = 0; // of the result on this path
  double share = 0;          // of the output's error that this operation's rounding is to blame for
};

struct Explanation {
  TargetReport target; // its findings are those of this input, exceptions in the order of execution; harmless ones too
  std::vector<NamedNumber> input;
  std::optional<Output> output; // the worst that is judged
  std::optional<Error> error;
  std::optional<ErrorParts> parts;
  size_t judged = 0;                // how many outputs are
  std::optional<Finding> uncounted; // an error of more than a few ulps that is no finding; `detail` says why not
  std::string oracle;
  std::string outcome;              // how the call ended: "returned", "called abort"
  std::vector<std::string> notes;   // one sentence each
  std::vector<std::string> printed; // lines, the first few
  std::vector<OperationRow> rows;   // as many as were asked for; `omitted` counts the rest
  size_t omitted = 0;
  bool too_long = false;    // there are more operations than are recorded
  bool interrupted = false; // the worker died: the list of operations is not complete
};

// Up to this many ulps counts as accurate: no cause is looked for. What good code makes: libm's functions are within
// one or two, and a few of them in a row stay below.
inline constexpr double accurate_ulps = 4;

// A function of a program, as `faultline list` shows it.
struct ListedTarget {
  frontend::Target target;
  uint64_t sites = 0;
  std::map<std::string, std::string> held = {};            // integers that have one value: what an array's size tells
  std::map<std::string, std::vector<int64_t>> values = {}; // of flags and enumerations
};

} // namespace faultline::finding
