// The FPGen suite (faultline bench fpgen): hunts for large rounding errors in summations, linear algebra and weighted
// statistics, on inputs of 4 to 32 numbers, beside the results of FPGen (Guo, Rubio-González, ICSE 2020).
//
// The error is FPGen's: |r - r0| / max(FLT_MIN, |r0|), the largest over all outputs; r0 is what the lifted oracle says,
// the code in exact arithmetic. FPGen's own reference is coarser (benchmarks/fpgen/published).
//
// Time decides, not the number of evaluations: every strategy has the same seconds for each benchmark. What is reached
// within two seconds is the result of a hunt of its own with that budget, made before the long one; a strategy may plan
// by its budget, so a glance at the long hunt after two seconds would show something that nobody can ask for.
#pragma once

#include "hunt/extents.h"
#include "hunt/hunt.h"
#include "suite/gsl/published.h"

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::suite {

// FPGen's benchmarks: which harness function each is (benchmarks/fpgen), how it is compiled, and the shapes of its
// arrays.
//
// There are 27 names. Six of them end in -m: they get the mean first and hand it over, which makes the same operations
// on the same numbers, so every input has the same error there as in the twin. A twin's run stands for both; hunting in
// an -m by its name is possible.
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

// The published figures that the FPGen suite prints beside its own, and the limits (benchmarks/fpgen/published).
struct FpgenFigures {
  double random = 0, s3fp = 0, klee_float = 0, fpgen = 0; // in two hours
  double limit_any = 0, limit_nonzero = 0;

  double best() const; // of the four
  double
  to_reach() const; // the best; where no error exceeds a few ulps, 2.5e-16: published against a coarser reference
};

using FpgenPublished = std::map<std::string, FpgenFigures>; // by benchmark

// The files as they were when faultline was built.
const Files& fpgen_files();

// Throws frontend::UserError: a file is missing or malformed, or the two name different benchmarks.
FpgenPublished fpgen_published(const Files& files);

inline constexpr double fpgen_short_seconds = 2;
inline constexpr double fpgen_floor = 1.17549435e-38; // FLT_MIN
inline constexpr double fpgen_threshold = 1e-16;      // an error that counts: half an ulp does

struct FpgenOptions {
  FpgenFolders folders;
  std::vector<std::string> benchmarks; // empty: the 21 that differ
  std::vector<std::string> strategies;
  double seconds = 20;  // of search, a benchmark
  bool nonzero = false; // only inputs whose exact result is at least FLT_MIN in magnitude
  uint64_t seed = 1;
  int jobs = 1; // more of them load the cores, and less is found in the time
};

// The worst that a hunt found.
struct FpgenWorst {
  double error = 0;      // 0: nothing
  std::string output;    // A[3]
  std::string input;     // A=1,2,3: as explain's --at takes it
  bool flip = false;     // the computed and the exact run take different branches, and that is the error
  bool infinite = false; // on other inputs the result is infinite, and should not be: no finite error compares
};

// By FPGen's measure.
FpgenWorst worst_of(const finding::TargetReport& report);

struct FpgenResult {
  finding::TargetReport report;
  FpgenWorst worst;
  std::optional<double> short_error; // within two seconds; nothing, if that hunt was not made
};

struct FpgenTrial {
  std::string strategy;
  std::map<std::string, FpgenResult> benchmarks; // by name; what an interrupt prevented is missing

  const FpgenResult* find(const std::string& benchmark) const;
};

struct FpgenEvaluation {
  FpgenOptions options;
  std::vector<FpgenBenchmark> benchmarks; // that were asked for
  FpgenPublished published;
  std::vector<FpgenTrial> trials;

  // Of those that differ: a twin has its name's.
  const FpgenFigures& figures_of(const FpgenBenchmark& benchmark) const;
  double limit_of(const FpgenBenchmark& benchmark) const; // any or nonzero, as asked for
};

struct FpgenListener {
  std::function<void(const std::string& strategy, double seconds, size_t benchmarks)> on_hunts; // before they begin
  campaign::Listener hunt;
};

// Throws frontend::UserError. `stop` ends it early and keeps what was found.
FpgenEvaluation evaluate_fpgen(const FpgenOptions& options, const FpgenListener& listener,
                               const std::atomic<bool>& stop);

// The first strategy's findings, one entry a benchmark.
finding::Report findings_of(const FpgenEvaluation& evaluation, std::vector<std::string> command);

} // namespace faultline::suite
