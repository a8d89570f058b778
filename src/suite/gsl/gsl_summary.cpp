#include "suite/gsl/gsl_summary.h"

#include "suite/gsl/ranks.h"

#include <algorithm>

namespace faultline::suite {
namespace {

// Two tools that found the same input may differ in the last digits that were published.
constexpr double tolerance = 1.01;

GslSummary peer_summary(const std::string& name, const GslPublished& published, Peer GslFigures::*peer,
                        uint64_t first_significant) {
  GslSummary summary;
  summary.name = name;
  summary.peer = true;
  summary.first_significant = first_significant;
  double seconds = 0;
  for (const GslFigures& figures : published.functions) {
    const Peer& measured = figures.*peer;
    const bool above = measured.largest_error > significant_error;
    ++summary.functions;
    summary.above += above;
    summary.listed += figures.in_paper_significant;
    summary.listed_above += figures.in_paper_significant && above;
    summary.reported += measured.reported;
    summary.significant += measured.significant;
    summary.unknown += measured.unknown;
    seconds += measured.seconds;
  }
  summary.mean_seconds = summary.functions ? seconds / double(summary.functions) : 0;
  return summary;
}

} // namespace

std::optional<double> GslSummary::significant_share() const {
  const uint64_t judged = reported - undefined - unknown;
  return judged ? std::optional(double(significant) / double(judged)) : std::nullopt;
}

GslSummary summary_of(const Trial& trial, const std::vector<GslFunction>& functions) {
  GslSummary summary;
  summary.name = trial.strategy;
  double seconds = 0, evaluations = 0;
  for (const GslFunction& function : functions) {
    const CampaignTargets* hunted = trial.find(function.name);
    if (!hunted)
      continue;
    const TargetScore& score = hunted->score;
    const bool above = score.significant > 0;
    ++summary.functions;
    summary.above += above;
    if (function.figures.in_paper_significant) {
      const double others = std::max(function.figures.atomu.largest_error, function.figures.fpcc.largest_error);
      ++summary.listed;
      summary.listed_above += above;
      summary.listed_as_large += score.largest_error * tolerance >= others;
    }
    summary.reported += score.reported;
    summary.significant += score.significant;
    summary.poles += score.poles;
    summary.undefined += score.undefined;
    summary.unknown += score.unknown;
    summary.first_significant += score.first_significant;
    summary.references += score.references;
    summary.agreeing += score.agreeing;
    for (const auto& [fault, count] : score.disagreeing)
      summary.disagreeing[fault] += count;
    seconds += hunted->report.seconds;
    evaluations += double(hunted->report.evaluations);
  }
  if (summary.functions) {
    summary.mean_seconds = seconds / double(summary.functions);
    summary.mean_evaluations = evaluations / double(summary.functions);
  }
  return summary;
}

std::vector<GslSummary> peer_summaries(const GslPublished& published) {
  return {peer_summary("ATOMU", published, &GslFigures::atomu, published.atomu_first_significant),
          peer_summary("FPCC", published, &GslFigures::fpcc, published.fpcc_first_significant)};
}

std::vector<RankSum> rank_sums(const std::vector<Trial>& trials, const std::vector<GslFunction>& functions) {
  std::vector<RankSum> sums;
  for (const Trial& trial : trials)
    sums.emplace_back().strategy = trial.strategy;
  for (const GslFunction& function : functions) {
    std::vector<double> errors;
    for (const Trial& trial : trials)
      if (const CampaignTargets* hunted = trial.find(function.name))
        errors.push_back(hunted->score.largest_error);
    if (errors.size() != trials.size())
      continue;
    const std::vector<double> rank = ranks(errors);
    for (double& error : errors)
      error = std::min(error, 1.0);
    const std::vector<double> capped = ranks(errors);
    for (size_t i = 0; i < sums.size(); ++i) {
      sums[i].sum += rank[i];
      sums[i].capped += capped[i];
      sums[i].ahead += rank[i] == 1;
      ++sums[i].functions;
    }
  }
  return sums;
}

} // namespace faultline::suite
