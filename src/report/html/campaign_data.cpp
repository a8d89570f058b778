#include "report/html/campaign_data.h"

#include "report/campaign/status_text.h"

#include <vector>

namespace faultline::report {

using finding::CampaignPage;
using finding::CampaignStatus;
using finding::Json;

namespace {

template <class Row, class Read>
Json column(const std::vector<Row>& rows, Read read) {
  Json list = Json::array();
  for (const Row& row : rows)
    list.push_back(read(row));
  return list;
}

Json curve_json(const std::vector<finding::CampaignPoint>& curve) {
  using Point = finding::CampaignPoint;
  return {{"seconds", column(curve, [](const Point& point) { return point.seconds; })},
          {"errors", column(curve, [](const Point& point) { return point.errors; })},
          {"warnings", column(curve, [](const Point& point) { return point.warnings; })},
          {"evaluations", column(curve, [](const Point& point) { return point.evaluations; })}};
}

Json targets_json(const std::vector<finding::CampaignTarget>& targets) {
  using Target = finding::CampaignTarget;
  return {{"state", column(targets, [](const Target& target) { return target.state; })},
          {"rounds", column(targets, [](const Target& target) { return target.rounds; })},
          {"quiet", column(targets, [](const Target& target) { return target.quiet; })},
          {"reached", column(targets, [](const Target& target) { return target.reached; })}};
}

Json run_json(const finding::CampaignRun& run) {
  Json json{{"id", run.id}, {"started", run.started}, {"ending", run.ending}, {"commit", run.commit}};
  if (run.ended)
    json["ended"] = *run.ended;
  return json;
}

Json past_json(const finding::PastProblem& problem) {
  return {{"tier", problem.tier},
          {"class", problem.fault},
          {"file", problem.file},
          {"line", problem.line},
          {"function", problem.function}};
}

Json unseen_json(const finding::CampaignUnseen& unseen) {
  return {{"estimate", unseen.estimate}, {"low", unseen.low}, {"high", unseen.high}, {"functions", unseen.functions}};
}

} // namespace

Json campaign_data(const CampaignPage& page) {
  const CampaignStatus& status = page.status;
  Json json{{"folder", status.folder},
            {"running", status.is_running},
            {"functions", status.functions},
            {"looked_at", status.looked_at},
            {"refused", status.refused},
            {"gone", status.gone},
            {"jobs", status.jobs},
            {"cut", status.cut},
            {"evaluations", status.evaluations},
            {"seconds", status.seconds},
            {"sites", status.sites},
            {"reached", status.reached},
            {"outlook", outlook_text(status)}};
  if (status.unseen)
    json["unseen"] = unseen_json(*status.unseen);
  json["curve"] = curve_json(status.curve);
  json["runs"] = column(status.runs, run_json);
  json["targets"] = targets_json(page.targets);
  json["first_runs"] = page.first_runs;
  if (page.news)
    json["news"] = {{"written", page.news->written},
                    {"run", page.news->run},
                    {"fresh", page.news->fresh},
                    {"gone", column(page.news->gone, past_json)}};
  return json;
}

finding::Report as_shown(finding::Report report) {
  for (finding::TargetReport& target : report.targets) {
    if (!target.shows_all)
      target.folded += std::erase_if(target.findings, finding::is_folded);
    for (finding::Finding& finding : target.findings)
      finding.also.clear();
  }
  return report;
}

} // namespace faultline::report
