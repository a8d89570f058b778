#include "finding/json/diagnosis_json.h"

#include "finding/json/json.h"
#include <algorithm>

namespace faultline::finding {

Json measure(double value) {
  if (std::isnan(value))
    return nullptr;
  return std::clamp(value, std::numeric_limits<double>::lowest(), std::numeric_limits<double>::max());
}

namespace {

Json step_to_json(const ChainLink& step) {
  Json json{{"file", step.file}, {"line", step.line}, {"column", step.column}};
  if (!step.function.empty())
    json["function"] = step.function;
  json["operation"] = step.operation;
  json["text"] = step.text;
  json["reference"] = step.reference;
  json["relative"] = measure(step.error);
  if (step.skipped > 0)
    json["skipped"] = step.skipped;
  return json;
}

Json line_to_json(const LineShare& line) {
  Json json{{"file", line.file}, {"line", line.line}};
  if (!line.function.empty())
    json["function"] = line.function;
  json["share"] = measure(line.share);
  json["growth"] = measure(line.growth);
  return json;
}

ChainLink step_at(const Place& place) {
  ChainLink step;
  read(place, "file", step.file);
  read_whole(place, "line", step.line);
  read_whole(place, "column", step.column);
  read(place, "function", step.function);
  read(place, "operation", step.operation);
  read(place, "text", step.text);
  read(place, "reference", step.reference);
  read(place, "relative", step.error);
  read_whole(place, "skipped", step.skipped);
  return step;
}

LineShare line_at(const Place& place) {
  LineShare line;
  read(place, "file", line.file);
  read_whole(place, "line", line.line);
  read(place, "function", line.function);
  read(place, "share", line.share);
  read(place, "growth", line.growth);
  return line;
}

} // namespace

Json to_json(const Diagnosis& diagnosis) {
  Json json{{"class", text(diagnosis.fault)}, {"why", diagnosis.why}};
  Json& chain = json["chain"] = Json::array();
  for (const ChainLink& step : diagnosis.chain)
    chain.push_back(step_to_json(step));
  Json& lines = json["lines"] = Json::array();
  for (const LineShare& line : diagnosis.lines)
    lines.push_back(line_to_json(line));
  json["accounted"] = measure(diagnosis.accounted);
  if (const std::optional<Remedy>& remedy = diagnosis.remedy)
    json["remedy"] = {{"name", remedy->name},
                      {"advice", remedy->advice},
                      {"relative", measure(remedy->relative)},
                      {"tried", remedy->tried}};
  if (diagnosis.remedy && !diagnosis.remedy->condition.empty())
    json["remedy"]["condition"] = diagnosis.remedy->condition;
  return json;
}

Diagnosis diagnosis_at(const Place& place) {
  Diagnosis diagnosis;
  diagnosis.fault = place["class"].id(fault_of, "a class of faults");
  read(place, "why", diagnosis.why);
  if (const auto chain = place.find("chain"))
    for (const Place& step : chain->elements())
      diagnosis.chain.push_back(step_at(step));
  if (const auto lines = place.find("lines"))
    for (const Place& line : lines->elements())
      diagnosis.lines.push_back(line_at(line));
  read(place, "accounted", diagnosis.accounted);
  if (const auto remedy = place.find("remedy")) {
    diagnosis.remedy.emplace();
    read(*remedy, "name", diagnosis.remedy->name);
    read(*remedy, "advice", diagnosis.remedy->advice);
    read(*remedy, "relative", diagnosis.remedy->relative);
    read_whole(*remedy, "tried", diagnosis.remedy->tried);
    read(*remedy, "condition", diagnosis.remedy->condition);
  }
  return diagnosis;
}

} // namespace faultline::finding
