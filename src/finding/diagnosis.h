// Why an output is wrong, as a report tells it: the class of the fault, the sentence, the path of the error from where
// it arose to the output, the part that each source line has in it, and the remedy that was tried out. Plain data: made
// by the layer explain, and put into words and numbers by judge/diagnose.
#pragma once

#include "ops/fault_kind.h"

#include <optional>
#include <string>
#include <vector>

namespace faultline::finding {

using ops::Fault;
using ops::fault_of;
using ops::headline;
using ops::text;

// An operation that the error passes through.
struct ChainLink {
  std::string file;
  int line = 0;
  int column = 0;
  std::string function;
  std::string operation; // the table's name: fsub
  std::string text;      // with the values it had: "1 - 0.99999999999999500 = 4.996003610813204e-15"
  std::string reference; // what exact arithmetic makes of it on this path, decimal
  double error = 0;      // relative, of its result
  size_t skipped = 0;    // operations on the way that were left out before this one
};

// A source line's part in the error of the output. The parts of all lines have the sum 1.
struct LineShare {
  std::string file;
  int line = 0;
  std::string function;
  double share = 0;  // signed: roundings of different lines may make up for each other
  double growth = 1; // the factor by which the relative error grew at most at an operation of this line
};

struct Remedy {
  std::string name;           // log1p
  std::string advice;         // "write log1p(x) for log(1 + x)"
  double relative = 0;        // the error of the output with it, on the same input
  uint64_t tried = 0;         // inputs on which it was found to do no harm
  std::string condition = {}; // for which it is meant: |x| < 0.1; empty: everywhere. The advice says it, too
};

struct Diagnosis {
  Fault fault = Fault::unclassified;
  std::string why = {};              // one sentence, or two
  std::vector<ChainLink> chain = {}; // from where the error arose to the output
  std::vector<LineShare> lines = {}; // largest part first; the smallest are left out
  double accounted = 1;              // the part of the oracle's error that these roundings make, on the path of the run
  std::optional<Remedy> remedy = {};
};

} // namespace faultline::finding
