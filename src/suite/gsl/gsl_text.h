// The GSL suite's result for people: a line per function, then the summaries next to those of other tools, then the
// ranks of the strategies.
#pragma once

#include "report/style.h"
#include "suite/gsl/gsl.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::suite {

std::string gsl_text(const GslEvaluation& evaluation, const report::Style& style);

// A summary of the GSL suite: figures of a strategy or another tool over a set of functions.
struct GslSummary {
  std::string name;  // of the strategy, or of the tool
  bool peer = false; // figures marked with * are unknown then
  size_t functions = 0;
  size_t above = 0;                            // functions with an error above 1e-3
  size_t listed = 0, listed_above = 0;         // of those that ATOMU's paper lists with such an error
  size_t listed_as_large = 0;                  // * of those: error at least that of both peers, to 1 %
  uint64_t reported = 0, significant = 0;      // inputs
  uint64_t poles = 0;                          // * significant inputs at which the exact value is infinite
  uint64_t undefined = 0;                      // * inputs without an exact value
  uint64_t unknown = 0;                        // inputs whose exact value is unknown
  uint64_t references = 0, agreeing = 0;       // * the oracle's, of findings with a known exact value
  std::map<std::string, uint64_t> disagreeing; // * by class
  size_t first_significant = 0;                // of `above`: functions whose first-ranked input is significant
  double mean_seconds = 0;
  double mean_evaluations = 0; // *

  // Of the reported inputs that could be judged; none if there are none.
  std::optional<double> significant_share() const;
};

// Omits functions that the trial did not reach.
GslSummary summary_of(const Trial& trial, const std::vector<GslFunction>& functions);

// Returns ATOMU's and FPCC's, from the measured figures of all one-argument functions of the suite.
std::vector<GslSummary> peer_summaries(const GslPublished& published);

// Ranks by the largest error on each function, summed over the functions that all trials reached; less is better.
// Capped: errors above 1 count as 1. No digit is right there, and the size of the error only depends on how small the
// exact value or how large the wrong one is.
struct RankSum {
  std::string strategy;
  double sum = 0;
  double capped = 0;
  size_t functions = 0;
  size_t ahead = 0; // functions on which it alone is first
};
std::vector<RankSum> rank_sums(const std::vector<Trial>& trials, const std::vector<GslFunction>& functions);

// Returns competition ranks: the largest value has rank 1, and equal values share the mean of their ranks.
std::vector<double> ranks(const std::vector<double>& values); // without NaN

// The GSL suite's result for scripts: one line per benchmark and strategy.
//
// relative_error, seconds and evaluations are those of the hunt with the strategy's own budget, or of the comparison
// for strategies without such a hunt. The column `budget` shows which (own, or the number of evaluations). Figures of
// the comparison have their own columns. An infinite error is written as inf.
std::string gsl_csv(const GslEvaluation& evaluation);

} // namespace faultline::suite
