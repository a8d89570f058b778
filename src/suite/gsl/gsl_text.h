// The GSL suite's result for a person: a line a function, then the figures over all of them beside those of others,
// then the ranks of the strategies.
#pragma once

#include "report/style.h"
#include "suite/gsl/gsl.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::suite {

std::string gsl_text(const GslEvaluation& evaluation, const report::Style& style);

// What the GSL suite says in one line: a strategy's figures over a set of functions, and the same figures of others.
struct GslSummary {
  std::string name;  // of the strategy, or of the tool
  bool peer = false; // what is marked with * is not known then
  size_t functions = 0;
  size_t above = 0;                            // functions with an error above 1e-3
  size_t listed = 0, listed_above = 0;         // of those that ATOMU's paper lists with one
  size_t listed_as_large = 0;                  // * and of those: error at least both peers', to 1 %
  uint64_t reported = 0, significant = 0;      // inputs
  uint64_t poles = 0;                          // * significant inputs at which the exact value is infinite
  uint64_t undefined = 0;                      // * inputs that have no exact value
  uint64_t unknown = 0;                        // inputs whose exact value is not known
  uint64_t references = 0, agreeing = 0;       // * the oracle's, of findings whose exact value is known
  std::map<std::string, uint64_t> disagreeing; // * by class
  size_t first_significant = 0;                // of `above`: functions whose first-ranked input is significant
  double mean_seconds = 0;
  double mean_evaluations = 0; // *

  // Of the reported inputs that could be judged; none if there are none.
  std::optional<double> significant_share() const;
};

// Functions that the trial did not get to are left out.
GslSummary summary_of(const Trial& trial, const std::vector<GslFunction>& functions);

// ATOMU's and FPCC's, from the measured figures of all one-argument functions of the suite.
std::vector<GslSummary> peer_summaries(const GslPublished& published);

// Ranks by the largest error on each function, summed over the functions that all trials hunted in: fewer is better.
// Capped: with errors above 1 counted as 1. No digit is right there, and how far above 1 an error is says how small the
// exact value happens to be, or how wild the garbage.
struct RankSum {
  std::string strategy;
  double sum = 0;
  double capped = 0;
  size_t functions = 0;
  size_t ahead = 0; // functions on which it alone is first
};
std::vector<RankSum> rank_sums(const std::vector<Trial>& trials, const std::vector<GslFunction>& functions);

// Ranks of competitors: the largest value has rank 1, and equal values share the mean of the ranks they take up.
std::vector<double> ranks(const std::vector<double>& values); // no NaN among them

// The GSL suite's result for scripts: one line for each benchmark and strategy.
//
// relative_error, seconds and evaluations are of the hunt with the strategy's own budget; of the comparison only for
// strategies that had no such hunt, which the column `budget` tells (own, or the number of evaluations). What the
// comparison says about a strategy stands in columns of its own. An infinite error is written as inf.
std::string gsl_csv(const GslEvaluation& evaluation);

} // namespace faultline::suite
