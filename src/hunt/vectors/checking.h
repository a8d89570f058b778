// Test vectors of a file, run against a program: each function in a worker of its own.
#pragma once

#include "finding/vectors/checked.h"
#include "hunt/options.h"

#include <memory>
#include <vector>

namespace faultline::campaign {

class VectorChecker {
public:
  // Loads the program. Throws frontend::UserError.
  VectorChecker(const Options& options, double factor);
  ~VectorChecker();

  // A function that is gone, or has other inputs, is missing; so is an output.
  finding::CheckedSet check(const finding::VectorSet& set);

private:
  Options options_;
  double factor_;
  std::unique_ptr<frontend::Program> program_;
};

} // namespace faultline::campaign
