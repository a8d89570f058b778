// FPGen's benchmarks: which harness function each is (benchmarks/fpgen), how it is compiled, and the shapes of its
// arrays.
//
// There are 27 names. Six of them end in -m: they get the mean first and hand it over, which makes the same operations
// on the same numbers, so every input has the same error there as in the twin. A twin's run stands for both; hunting in
// an -m by its name is possible.
#pragma once

#include "hunt/options.h"

#include <string>
#include <vector>

namespace faultline::suite {

enum class FpgenLibrary { none, meschach, gsl };

struct FpgenArray {
  std::string name;
  std::vector<uint64_t> extents;
  bool is_input = true; // else only written
};

struct FpgenBenchmark {
  std::string name; // as in the published table
  std::string twin; // of an -m: the name without it
  std::string function;
  FpgenLibrary library = FpgenLibrary::none;
  std::vector<FpgenArray> arrays;
};

// All 27, in the order of the table, each -m behind its twin.
const std::vector<FpgenBenchmark>& fpgen_benchmarks();

// Those of these names; of none: all but the -m. Throws frontend::UserError: there is no such benchmark.
std::vector<FpgenBenchmark> fpgen_benchmarks(const std::vector<std::string>& names);

// Where the code is.
struct FpgenFolders {
  std::string harnesses, meschach, gsl; // the subjects are needed by those who call them
};

// The sources and inputs of benchmarks that share a library: binary32 values in [-100, 100].
campaign::Options fpgen_hunt(const std::vector<FpgenBenchmark>& benchmarks, const FpgenFolders& folders);

} // namespace faultline::suite
