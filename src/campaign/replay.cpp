#include "campaign/replay.h"

#include "campaign/single_run.h"
#include "campaign/targets/targets.h"
#include "campaign/worker_death.h"

#include <algorithm>
#include <numeric>

namespace faultline::campaign {

using finding::Finding;
using finding::FoundAt;
using finding::NamedNumber;
using finding::ReplayResult;

namespace {

// Tells inputs apart. Their numbers do not: 0 and -0 are equal, and NaN is not equal to itself.
std::string key_of(const Finding& finding) {
  std::string key;
  for (const NamedNumber& number : finding.input)
    key += number.value.hex + " ";
  return key;
}

} // namespace

Replayer::Replayer(const Options& options)
    : options_(options), program_(std::make_unique<frontend::Program>(load_program(options))) {}

Replayer::~Replayer() = default;

std::vector<ReplayResult> Replayer::replay(const finding::TargetReport& report, const std::vector<Finding>& findings,
                                           bool strict) {
  if (findings.empty())
    return {};
  Options own = options_;
  own.functions = {report.function};
  const FoundIn found = found_in(*program_, own, report, findings.front().input);
  const auto& [target, settings] = found;
  // Those of one input follow each other.
  std::vector<size_t> order(findings.size());
  std::iota(order.begin(), order.end(), size_t(0));
  std::ranges::sort(order, {}, [&](size_t i) { return std::pair(key_of(findings[i]), i); });
  std::vector<FoundAt> saved;
  for (const size_t i : order)
    saved.push_back({input_of(target, settings, findings[i].input), findings[i]});

  std::vector<ReplayResult> results(findings.size());
  run_all(
      job_for(target, settings, own, {}), saved, *program_, target, own.worker,
      [strict](std::vector<FoundAt> rest) {
        return finding::ReplayTask{std::move(rest), strict};
      },
      [&](size_t i, const finding::Message& message) {
        if (const auto* result = std::get_if<ReplayResult>(&message))
          results[order[i]] = *result;
      },
      [&](size_t i, const finding::WorkerDeath& died) {
        ReplayResult& result = results[order[i]];
        result.what = detail_of(died);
        const Finding& saved = findings[order[i]];
        result.reproduced =
            died.in_call && (died.hung ? saved.kind == finding::Kind::timeout : result.what == saved.detail);
      });
  return results;
}

} // namespace faultline::campaign
