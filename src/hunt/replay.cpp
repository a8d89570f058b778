#include "hunt/replay.h"

#include "hunt/single_run.h"
#include "hunt/targets/targets.h"
#include "hunt/worker_death.h"

namespace faultline::campaign {

using finding::Finding;
using finding::FoundAt;
using finding::ReplayResult;

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
  const std::vector<size_t> order = order_by_input(findings);
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
