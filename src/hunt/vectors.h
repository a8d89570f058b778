// Test vectors for the functions of a report: the inputs of their problems, and further inputs that workers find.
//
// One worker explores the branches of the code as it is written, as cover does, and sends candidates. The supervisor
// selects from them (model/vectors/vector.h), and another worker measures the selected ones.
#pragma once

#include "hunt/targets.h"
#include "model/problem.h"
#include "model/vectors/vector.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace faultline::hunt {

inline constexpr size_t usual_vectors = 50; // of a function

// Called now and then with the number of functions that are done, the number of all, and the one that is being run.
using VectorsProgress = std::function<void(size_t done, size_t all, const std::string& function)>;

// Returns one set for each function of the hunt; a set without vectors has a reason. `options`: those of the hunt.
// Throws UserError if the code cannot be loaded.
std::vector<model::VectorSet> test_vectors(const model::RankedReport& ranked, const Options& options, size_t most,
                                           const std::atomic<bool>& stop, const VectorsProgress& progress = {});

// Runs the test vectors of a file against a program, each function in its own worker.
class VectorChecker {
public:
  // Loads the program. Throws UserError.
  VectorChecker(const Options& options, double factor);
  ~VectorChecker();

  // A function that is gone or has other inputs is reported as missing; so is an output.
  model::CheckedSet check(const model::VectorSet& set);

private:
  Options options_;
  double factor_;
  std::unique_ptr<program::Program> program_;
};

} // namespace faultline::hunt
