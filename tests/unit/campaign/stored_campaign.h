// A campaign in a folder of its own, and what jobs would have found in it.
#pragma once

#include "../temporary_folder.h"

#include "campaign/recording.h"
#include "campaign/store/campaign_file.h"
#include "campaign/store/finding_table.h"
#include "model/finding.h"

#include <fmt/format.h>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace faultline::campaign::test_store {

struct Campaign {
  Campaign() {
    NewCampaign(folder, {{"hunt", "a.c"}, "..", 7, {}}).keep();
    database = open_campaign(folder, Database::Opening::change);
    run = begin_run(*database, {"commit", "program", {}});
  }

  TargetNow now(const std::string& function, const std::string& code = "code") const {
    TargetNow now;
    now.symbol = function;
    now.version = {code, "places", "settings"};
    now.head.function = function;
    now.head.file = "a.c";
    now.head.line = 3;
    return now;
  }
  TargetRow add(const std::string& function) {
    add_target(*database, now(function), run);
    return targets_of(*database).back();
  }

  test::TemporaryFolder temporary;
  std::string folder = temporary.path() + "/c";
  std::unique_ptr<Database> database;
  int64_t run = 0;
};

inline model::Finding finding_at(int line, double error, double x = 1) {
  model::Finding finding;
  finding.kind = model::Kind::inaccuracy;
  finding.fingerprint = fmt::format("line {}", line);
  finding.input = {{"x", {fmt::format("{}", x), fmt::format("{:a}", x)}}};
  finding.values = {x};
  finding.everyday = true;
  finding.output = {"return", {"1", "0x1p+0"}, {"2", "0x1p+1"}};
  finding.error = {error, error, 1, 1};
  finding.oracle = "lifted";
  finding.verdict = model::Verdict::avoidable;
  finding.cause = {"a.c", line, 5, "f", "fsub", 1, 1};
  finding.id = identify("f", finding);
  return finding;
}

inline model::TargetReport report_with(std::vector<model::Finding> findings) {
  model::TargetReport report;
  report.function = "f";
  report.file = "a.c";
  report.line = 3;
  report.outcome = model::TargetOutcome::found;
  report.evaluations = 100;
  report.total_seconds = 0.5;
  report.findings = std::move(findings);
  return report;
}

inline RoundResult record_round(Campaign& campaign, TargetRow& row, int64_t round, std::vector<model::Finding> findings,
                                int64_t run, const std::set<std::string>& again = {}) {
  const JobRow job = begin_job(*campaign.database, {0, row.id, row.program, round, "auto", 1, 100}, run);
  return record(*campaign.database, row, job, {report_with(std::move(findings)), again, 0}, run);
}

} // namespace faultline::campaign::test_store
