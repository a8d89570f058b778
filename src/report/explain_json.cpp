#include "report/explain_json.h"

#include "finding/json/finding_json.h"
#include "finding/json/json.h"

namespace faultline::report {

using finding::Explanation;
using finding::measure;
using finding::OperationRow;
using finding::to_json;
using Json = finding::Json;

namespace {

Json operation_json(const OperationRow& row) {
  Json conditions = Json::array();
  for (const double condition : row.conditions)
    conditions.push_back(measure(condition));
  Json json{{"file", row.file},         {"line", row.line},           {"column", row.column},
            {"function", row.function}, {"operation", row.operation}, {"text", row.text},
            {"operands", row.operands}, {"conditions", conditions},   {"result", row.result}};
  if (!row.reference.empty())
    json["exact"] = row.reference;
  json["error"] = measure(row.relative_error);
  json["share"] = measure(row.share);
  return json;
}

Json explanation_json(const Explanation& explanation) {
  Json json{{"input", to_json(explanation.input)}, {"ended", explanation.outcome}};
  if (explanation.output)
    json["output"] = to_json(*explanation.output);
  if (explanation.error)
    json["error"] = to_json(*explanation.error);
  json["oracle"] = explanation.oracle;
  if (explanation.uncounted)
    json["uncounted"] = to_json(*explanation.uncounted);
  json["notes"] = explanation.notes;
  if (!explanation.printed.empty())
    json["printed"] = explanation.printed;
  Json operations = Json::array();
  for (const OperationRow& row : explanation.rows)
    operations.push_back(operation_json(row));
  json["operations"] = operations;
  json["omitted"] = explanation.omitted;
  json["complete"] = !explanation.too_long && !explanation.interrupted && explanation.omitted == 0;
  return json;
}

} // namespace

std::string explain_json(const Explanation& explanation, const finding::Report& report) {
  Json json = to_json(report);
  json["targets"][0]["explanation"] = explanation_json(explanation);
  return finding::json_text(json, 2) + "\n";
}

} // namespace faultline::report
