// The suite of exceptions (faultline bench gsl-exceptions): every special function of GSL that takes numbers, hunted in
// by `ariadne` as a user would, and by its peers with the same number of evaluations for all, `random` first among
// them.
//
// What is counted is distinct places: function, source location, operation and kind. GSL's functions that end in _e
// return a status; the others call GSL's error handler, which aborts. Both are errors reported, as opposed to silent
// ones.
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
  uint64_t evaluations = 20'000; // of each function, for all strategies but ariadne and auto
  double budget_seconds = 10;
  uint64_t seed = 1;
  int jobs = 1;
};

// One strategy on all functions.
struct ExceptionTrial {
  std::string strategy;
  std::optional<uint64_t> evaluations;        // of each function; none: as many as the strategy likes
  std::vector<finding::TargetReport> targets; // by name
  std::vector<std::string> unfinished;        // what was not hunted in to the end, and why
  double seconds = 0;                         // in all, on the clock: compiling, searching, judging
};

struct GslExceptions {
  GslExceptionsOptions options;
  std::vector<std::string> left_out; // functions that the library does not have, or that cannot be hunted in
  std::vector<ExceptionTrial> trials;
};

// Of some targets. Consequences (a NaN made of infinities) are no exceptions of their own, and not counted.
struct ExceptionCounts {
  size_t functions = 0, functions_with_any = 0;
  std::map<finding::Kind, size_t> by_kind;
  std::map<finding::Verdict, size_t> by_verdict;
  size_t silent = 0, reported = 0;
  size_t reaching = 0; // the output
  size_t harmless = 0;
  std::map<std::string, size_t> by_means; // who found it
  uint64_t evaluations = 0;
  double seconds = 0; // of searching

  size_t total() const;
};
ExceptionCounts counts_of(const std::vector<finding::TargetReport>& targets);

struct GslExceptionsListener {
  std::function<void(const ExceptionTrial&, size_t functions)> on_trial; // before it begins
  campaign::Listener hunt;
};

// Throws frontend::UserError. `stop` ends it early and keeps what was found.
GslExceptions evaluate_gsl_exceptions(const GslExceptionsOptions& options, const GslExceptionsListener& listener,
                                      const std::atomic<bool>& stop);

// The first strategy's findings, with a command that hunts for them again.
finding::Report findings_of(const GslExceptions& evaluation);

// The suite of exceptions as text and as comma-separated values.

// A table of all figures, one column a strategy, and who found what.
std::string gsl_exceptions_text(const GslExceptions& evaluation, const report::Style& style);

// One line for each function and strategy.
std::string gsl_exceptions_csv(const GslExceptions& evaluation);

} // namespace faultline::suite
