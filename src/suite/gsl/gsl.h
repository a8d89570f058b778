// The GSL suite (faultline bench gsl): hunts in GSL's special functions, scores what was reported against exact values,
// and keeps it beside the figures of others.
//
// Two phases. Hunts: each strategy with the budget it chooses itself, as a user would run it. Comparison: each strategy
// with the same number of evaluations, on the one-argument functions, to rank them.
#pragma once

#include "hunt/hunt.h"
#include "suite/gsl/gsl_functions.h"
#include "suite/gsl/published.h"
#include "suite/gsl/score.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace faultline::suite {

struct GslOptions {
  std::string library;                // gsl.bc
  std::vector<std::string> functions; // empty: all
  Arity arity = Arity::all;
  std::vector<std::string> strategies;     // of the hunts; may be empty
  std::vector<std::string> compared;       // of the comparison; may be empty
  uint64_t compared_evaluations = 100'000; // of each function
  double budget_seconds = 10;              // of each function
  uint64_t seed = 1;
  int jobs = 1; // more of them load the cores, and times are longer
};

// The error that counts, as in the studies that the figures are from.
inline constexpr double significant_error = 1e-3;

struct CampaignTargets {
  finding::TargetReport report;
  TargetScore score;
};

// One strategy on the functions of the suite.
struct Trial {
  std::string strategy;
  std::optional<uint64_t> evaluations;              // of each function at most; none: as many as the strategy likes
  std::map<std::string, CampaignTargets> functions; // what was not hunted in, after an interrupt, is missing

  const CampaignTargets* find(const std::string& function) const;
};

struct GslEvaluation {
  GslOptions options;
  GslPublished published;
  std::vector<GslFunction> functions;
  std::vector<std::string> left_out;
  std::vector<Trial> hunts, comparison;

  std::vector<GslFunction> functions_of(Arity arity) const;
};

struct GslListener {
  std::function<void(const Trial&, size_t functions)> on_trial; // before it begins
  campaign::Listener hunt;
};

// Throws frontend::UserError. `stop` ends it early and keeps what was found.
GslEvaluation evaluate_gsl(const GslOptions& options, const GslListener& listener, const std::atomic<bool>& stop);

// The first strategy's findings, of the hunts or, without hunts, of the comparison: one entry a function.
finding::Report findings_of(const GslEvaluation& evaluation, std::vector<std::string> command);

} // namespace faultline::suite
