#include "campaign/proof.h"

#include "finding/bound/map_words.h"
#include "judge/bounds/proving.h"
#include "judge/space_of_target.h"

#include <algorithm>

namespace faultline::campaign {

using finding::Finding;
using finding::TargetOutcome;

namespace {

// Of more inputs, a map says nothing that a condition on one of them could.
bool has_one_free_input(const frontend::Target& target, const finding::Settings& settings) {
  const search::Space space = judge::space_of(target, settings);
  return std::ranges::count_if(space.dimensions, [](const search::Dimension& one) { return !one.held(); }) == 1;
}

// What is proved of where it does not show stands beside what samples say of where it does.
void tell_when(finding::TargetReport& report) {
  const finding::SafetyMap& map = report.proof->map;
  for (size_t i = 0; i < report.inputs.size(); ++i) {
    const std::string words = report.inputs[i].low != report.inputs[i].high
                                  ? finding::safe_words(map, i, report.inputs[i].name)
                                  : std::string();
    if (!words.empty())
      for (Finding& finding : report.findings)
        if (finding.kind == finding::Kind::inaccuracy && !finding.half_digits) // these count from another size on
          finding.when += (finding.when.empty() ? "" : "; ") + words;
  }
}

} // namespace

std::optional<finding::Task> proof_task(const finding::TargetReport& report, const frontend::Target& target,
                                        const finding::Settings& settings) {
  finding::ProveTask task;
  for (const Finding& finding : report.findings)
    if (finding.kind == finding::Kind::inaccuracy && finding.counts())
      task.found.push_back(finding.values);
  const bool silent = report.outcome == TargetOutcome::none;
  const bool wrong =
      report.outcome == TargetOutcome::found && !task.found.empty() && has_one_free_input(target, settings);
  if ((!silent && !wrong) || !judge::can_be_proved(target, settings))
    return std::nullopt;
  return task;
}

void take_proof(finding::TargetReport& report, const finding::Message& message) {
  const auto* proof = std::get_if<finding::ProofMessage>(&message);
  if (!proof)
    return;
  report.proof = proof->proof;
  report.cut = report.cut || proof->proof.cut;
  tell_when(report);
  if (proof->proof.proved && report.outcome == TargetOutcome::none)
    report.outcome = TargetOutcome::proved;
}

} // namespace faultline::campaign
