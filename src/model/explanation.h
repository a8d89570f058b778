// One input and everything known about it: the data of `faultline explain`.
#pragma once

#include "model/report.h"
#include "model/target.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::model {

// One operation of a run, as explain shows it. Plain data.
struct OperationRow {
  std::string file;
  int line = 0, column = 0;
  std::string function;
  std::string operation;             // fsub
  std::string text;                  // "v4 = v2 - v3" in terms of rows; operands are inputs, constants or rows
  std::vector<std::string> operands; // values, shortest decimal
  std::vector<double> conditions;    // one per operand
  std::string result;
  std::string reference;     // high-precision value on the same path
  double relative_error = 0; // of the result on this path
  double share = 0;          // share of the output's error that this operation's rounding causes
};

struct Explanation {
  TargetReport
      target; // its findings are those of this input, including harmless ones; exceptions in the order of execution
  std::vector<NamedNumber> input;
  std::optional<Output> output; // the worst of the judged outputs
  std::optional<Error> error;
  std::optional<ErrorParts> parts;
  size_t judged = 0;                // number of judged outputs
  std::optional<Finding> uncounted; // an error of more than a few ulps that is not a finding; `detail` gives the reason
  std::string oracle;
  std::string outcome;              // how the call ended: "returned", "called abort"
  std::vector<std::string> notes;   // one sentence each
  std::vector<std::string> printed; // the first few lines
  std::vector<OperationRow> rows;   // as many as requested; `omitted` counts the others
  size_t omitted = 0;
  bool too_long = false;    // more operations were executed than are recorded
  bool interrupted = false; // the worker died: the list of operations is incomplete
};

// Results within this many ulps count as accurate, and no cause is searched for. Good code achieves this: libm's
// functions are within one or two ulps, and a few of them in a row stay below four.
inline constexpr double accurate_ulps = 4;

// A function of a program, as `faultline list` shows it.
struct ListedTarget {
  Target target;
  uint64_t sites = 0;
  std::map<std::string, std::string> held = {};            // integers with one value, given by the size of an array
  std::map<std::string, std::vector<int64_t>> values = {}; // of flags and enumerations
};

} // namespace faultline::model
