#include "finding/json/problem_json.h"

#include "finding/json/diagnosis_json.h"
#include "finding/json/finding_json.h"
#include "finding/json/json.h"

namespace faultline::finding {

Json to_json(const Problem& problem) {
  const Finding& finding = problem.representative();
  Json json{{"id", problem.id},     {"tier", text(problem.tier)}, {"class", problem.fault},
            {"file", problem.file}, {"line", problem.line},       {"column", problem.column}};
  if (!problem.source.empty())
    json["source"] = problem.source;
  json["functions"] = problem.functions;
  Json& findings = json["findings"] = Json::array();
  for (const Evidence& evidence : problem.findings)
    findings.push_back(evidence.finding->id);
  json["input"] = input_to_json(finding.input);
  json["everyday"] = finding.everyday;
  if (finding.output)
    json["output"] = to_json(*finding.output);
  if (finding.error)
    json["error"] = to_json(*finding.error);
  if (const Finding* worst = problem.worst.finding)
    json["worst"] = {{"input", input_to_json(worst->input)}, {"error", to_json(*worst->error)}};
  if (finding.share)
    json["share"] = to_json(*finding.share);
  if (!finding.when.empty())
    json["when"] = finding.when;
  json["verdict"] = text(finding.verdict);
  if (finding.diagnosis && finding.diagnosis->remedy) {
    const Remedy& remedy = *finding.diagnosis->remedy;
    json["remedy"] = {{"text", remedy.advice}, {"tried", remedy.tried}, {"error", measure(remedy.relative)}};
    if (!remedy.condition.empty())
      json["remedy"]["condition"] = remedy.condition;
  }
  if (problem.set_aside)
    json["set_aside"] = true;
  return json;
}

} // namespace faultline::finding
