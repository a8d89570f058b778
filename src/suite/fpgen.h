// The FPGen suite (faultline bench fpgen): hunts for large rounding errors in summations, linear algebra and weighted
// statistics, on inputs of 4 to 32 numbers, next to the results of FPGen (Guo, Rubio-González, ICSE 2020).
//
// The error is FPGen's: |r - r0| / max(FLT_MIN, |r0|), the largest over all outputs. r0 is the result of the lifted
// oracle: the code in exact arithmetic. FPGen's own reference is coarser (benchmarks/fpgen/published).
//
// The limit is time, not the number of evaluations: every strategy has the same seconds for each benchmark. The result
// within two seconds is that of a separate hunt with this budget before the long one. A strategy may plan by its
// budget, so the state of the long hunt after two seconds would be a result that no user can get.
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

// FPGen's benchmarks: the harness function of each (benchmarks/fpgen), how it is compiled, and the shapes of its
// arrays.
//
// There are 27 names. Six of them end in -m: they compute the mean first and pass it on, which makes the same
// operations on the same numbers, so every input has the same error as in the twin. The result of the twin is used for
// both. An -m is run if it is named.
enum class FpgenLibrary { none, meschach, gsl };

struct FpgenArray {
  std::string name;
  std::vector<uint64_t> extents;
  bool is_input = true; // otherwise only written
};

struct FpgenBenchmark {
  std::string name; // as in the published table
  std::string twin; // for an -m: the name without it
  std::string function;
  FpgenLibrary library = FpgenLibrary::none;
  std::vector<FpgenArray> arrays;
};

// All 27 in the order of the table, each -m after its twin.
const std::vector<FpgenBenchmark>& fpgen_benchmarks();

// Returns the named benchmarks; without names, all except the -m. Throws frontend::UserError for an unknown name.
std::vector<FpgenBenchmark> fpgen_benchmarks(const std::vector<std::string>& names);

// The folders of the code.
struct FpgenFolders {
  std::string harnesses, meschach, gsl; // the subjects are only needed by benchmarks that call them
};

// Returns the sources and inputs of benchmarks that share a library: binary32 values in [-100, 100].
campaign::Options fpgen_hunt(const std::vector<FpgenBenchmark>& benchmarks, const FpgenFolders& folders);

// The published figures that the FPGen suite prints next to its own, and the limits (benchmarks/fpgen/published).
struct FpgenFigures {
  double random = 0, s3fp = 0, klee_float = 0, fpgen = 0; // in two hours
  double limit_any = 0, limit_nonzero = 0;

  double best() const; // of the four
  // The best. If no error can exceed a few ulps, 2.5e-16, since the published ones are against a coarser reference.
  double to_reach() const;
};

using FpgenPublished = std::map<std::string, FpgenFigures>; // by benchmark

// The files at the time when faultline was built.
const Files& fpgen_files();

// Throws frontend::UserError if a file is missing or malformed, or if the two name different benchmarks.
FpgenPublished fpgen_published(const Files& files);

inline constexpr double fpgen_short_seconds = 2;
inline constexpr double fpgen_floor = 1.17549435e-38; // FLT_MIN
inline constexpr double fpgen_threshold = 1e-16;      // an error that counts: half an ulp

struct FpgenOptions {
  FpgenFolders folders;
  std::vector<std::string> benchmarks; // empty: the 21 that differ
  std::vector<std::string> strategies;
  double seconds = 20;  // of search, per benchmark
  bool nonzero = false; // only inputs whose exact result is at least FLT_MIN in magnitude
  uint64_t seed = 1;
  int jobs = 1; // more jobs load the cores, so less is found in the time
};

// The largest error that a hunt found.
struct FpgenWorst {
  double error = 0;   // 0: none
  std::string output; // A[3]
  std::string input;  // A=1,2,3: in the form of explain's --at
  bool flip = false;  // the error is that the computed and the exact run take different branches
  bool infinite =
      false; // on other inputs the result is infinite where it should not be, which exceeds every finite error
};

// Uses FPGen's measure.
FpgenWorst worst_of(const finding::TargetReport& report);

struct FpgenResult {
  finding::TargetReport report;
  FpgenWorst worst;
  std::optional<double> short_error; // within two seconds; nothing if that hunt was not made
};

struct FpgenTrial {
  std::string strategy;
  std::map<std::string, FpgenResult> benchmarks; // by name; without those that an interrupt prevented

  const FpgenResult* find(const std::string& benchmark) const;
};

struct FpgenEvaluation {
  FpgenOptions options;
  std::vector<FpgenBenchmark> benchmarks; // the requested ones
  FpgenPublished published;
  std::vector<FpgenTrial> trials;

  // Returns the published figures. A twin has those of its name.
  const FpgenFigures& figures_of(const FpgenBenchmark& benchmark) const;
  double limit_of(const FpgenBenchmark& benchmark) const; // any or nonzero, as requested
};

struct FpgenListener {
  std::function<void(const std::string& strategy, double seconds, size_t benchmarks)>
      on_hunts; // called before they begin
  campaign::Listener hunt;
};

// Throws frontend::UserError. `stop` ends it early and keeps the findings.
FpgenEvaluation evaluate_fpgen(const FpgenOptions& options, const FpgenListener& listener,
                               const std::atomic<bool>& stop);

// Returns the first strategy's findings, one entry per benchmark.
finding::Report findings_of(const FpgenEvaluation& evaluation, std::vector<std::string> command);

} // namespace faultline::suite
