// One operation of a run, as explain shows it. Plain data.
#pragma once

#include <string>
#include <vector>

namespace faultline::finding {

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

} // namespace faultline::finding
