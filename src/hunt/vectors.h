// Test vectors for the functions of a report: their problems, and inputs that workers find beside them.
//
// One worker explores the branches of the code as it is written, as cover does, and tells candidates; the choice is
// made here (finding/vectors/vector.h), and another worker measures what was chosen.
#pragma once

#include "finding/problem.h"
#include "finding/vectors/vector.h"
#include "hunt/extents.h"

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace faultline::campaign {

inline constexpr size_t usual_vectors = 50; // of a function

// Told now and then: how many functions are done, of how many, and which one is at work.
using VectorsProgress = std::function<void(size_t done, size_t all, const std::string& function)>;

// One set for each function that was hunted in; one that there are no vectors of says why. The options are those of the
// hunt. Throws frontend::UserError if the code cannot be loaded.
std::vector<finding::VectorSet> test_vectors(const finding::RankedReport& ranked, const Options& options, size_t most,
                                             const std::atomic<bool>& stop, const VectorsProgress& progress = {});

// Test vectors of a file, run against a program: each function in a worker of its own.
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
