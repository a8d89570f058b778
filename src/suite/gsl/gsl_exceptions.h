// The suite of exceptions (faultline bench gsl-exceptions): every special function of GSL with numbers as arguments,
// tested by `ariadne` with its default budget, and by its peers, `random` first, with the same number of evaluations
// for all.
//
// It counts distinct places: function, source location, operation and kind. GSL's functions that end in _e return a
// status; the others call GSL's error handler, which aborts. Both count as reported errors, as opposed to silent ones.
#pragma once

#include "hunt/hunt.h"
#include "report/style.h"

#include <atomic>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::suite {

struct GslExceptionsOptions {
  std::string library;                // gsl.bc
  std::vector<std::string> functions; // empty: all
  std::vector<std::string> strategies = {"ariadne", "random"};
  uint64_t evaluations = 20'000; // per function, for all strategies except ariadne and auto
  double budget_seconds = 10;
  uint64_t seed = 1;
  int jobs = 1;
};

// One strategy on all functions.
struct ExceptionTrial {
  std::string strategy;
  std::optional<uint64_t> evaluations;        // per function; none: the strategy's default
  std::vector<finding::TargetReport> targets; // by name
  std::vector<std::string> unfinished;        // targets without a complete hunt, and the reason
  double seconds = 0;                         // total elapsed time: compiling, searching, judging
};

struct GslExceptions {
  GslExceptionsOptions options;
  std::vector<std::string> left_out; // functions that the library lacks, or that cannot be tested
  std::vector<ExceptionTrial> trials;
};

// Counts over some targets. Consequences (a NaN made of infinities) are not counted.
struct ExceptionCounts {
  size_t functions = 0, functions_with_any = 0;
  std::map<finding::Kind, size_t> by_kind;
  std::map<finding::Verdict, size_t> by_verdict;
  size_t silent = 0, reported = 0;
  size_t reaching = 0; // that reach the output
  size_t harmless = 0;
  std::map<std::string, size_t> by_means; // by the means that found it
  uint64_t evaluations = 0;
  double seconds = 0; // of search

  size_t total() const;
};
ExceptionCounts counts_of(const std::vector<finding::TargetReport>& targets);

struct GslExceptionsListener {
  std::function<void(const ExceptionTrial&, size_t functions)> on_trial; // called before it begins
  campaign::Listener hunt;
};

// Throws frontend::UserError. `stop` ends it early and keeps the findings.
GslExceptions evaluate_gsl_exceptions(const GslExceptionsOptions& options, const GslExceptionsListener& listener,
                                      const std::atomic<bool>& stop);

// Returns the first strategy's findings, with a command that searches for them again.
finding::Report findings_of(const GslExceptions& evaluation);

// Returns a table of all figures, one column per strategy, and the means that found each.
std::string gsl_exceptions_text(const GslExceptions& evaluation, const report::Style& style);

// Returns one line per function and strategy.
std::string gsl_exceptions_csv(const GslExceptions& evaluation);

} // namespace faultline::suite
