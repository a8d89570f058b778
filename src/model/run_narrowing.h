// Which declarations of a program can be float (faultline run --narrow).
#pragma once

#include "model/run_report.h"

#include <string>
#include <vector>

namespace faultline::model {

struct RunDeclaration {
  std::string file, names; // "a, b, c"
  int line = 0;
};

struct RunNarrowing {
  enum class Answer : uint8_t { everything, everything_but, nothing };

  std::vector<std::string> command;
  double tolerance = 0;
  Answer answer = Answer::nothing;
  std::string reason;                 // of nothing
  size_t declarations = 0;            // that say double
  std::vector<RunDeclaration> wide;   // that stay double
  unsigned runs = 0;                  // of narrowed twins
  uint64_t compared = 0, varying = 0; // printed numbers; those that differ between two runs of the program itself
  double error = 0;                   // the largest relative error of a compared number
  double before = 0, after = 0;       // CPU seconds of the program and of the narrowed one, both compiled by LLVM
  std::string diff;
  int status = 0, signal = 0; // of the program
};

} // namespace faultline::model
