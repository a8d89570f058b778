// One operation of a run, as explain shows it. A worker sends rows as JSON messages, where an infinity is a word.
#pragma once

#include "campaign/job.h"
#include "frontend/target.h"
#include "tape/replay.h"
#include "tape/tape.h"

#include <string>
#include <vector>

namespace faultline::campaign {

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

OperationRow row_of(const tape::Tape& tape, const frontend::Target& target, uint32_t index, const tape::Replay& exact,
                    double error, double share);

Json message_of(const OperationRow& row);
OperationRow row_from(const Json& message);

} // namespace faultline::campaign
