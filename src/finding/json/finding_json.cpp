#include "finding/json/finding_json.h"

#include "finding/bound/map_json.h"
#include "finding/json/diagnosis_json.h"
#include "finding/json/extents_json.h"
#include "finding/json/json.h"
#include "finding/json/problem_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace faultline::finding {
namespace {

Json to_json(const Number& number) { return {{"decimal", number.decimal}, {"hex", number.hex}}; }

// The array's name and the index, if a cell's name has the form A[3].
struct Element {
  std::string array;
  size_t index;
};
std::optional<Element> element_of(const std::string& name) {
  const size_t open = name.rfind('[');
  if (open == std::string::npos || open == 0 || !name.ends_with(']'))
    return {};
  const char *begin = name.data() + open + 1, *end = name.data() + name.size() - 1;
  size_t index = 0;
  const auto [stop, error] = std::from_chars(begin, end, index);
  if (error != std::errc() || stop != end || std::to_string(index) != std::string(begin, end))
    return {};
  return Element{name.substr(0, open), index};
}

// How many cells from `first` on are A[0], A[1], ... of one array.
size_t array_length(const std::vector<NamedNumber>& input, size_t first) {
  const std::optional<Element> head = element_of(input[first].name);
  size_t length = 0;
  while (head && first + length < input.size()) {
    const std::optional<Element> next = element_of(input[first + length].name);
    if (!next || next->array != head->array || next->index != length)
      break;
    ++length;
  }
  return length;
}

} // namespace

Json input_to_json(const std::vector<NamedNumber>& input) {
  Json json = Json::object();
  for (size_t i = 0; i < input.size();) {
    const size_t length = array_length(input, i);
    const std::string array = length ? element_of(input[i].name)->array : "";
    if (length && !json.contains(array)) {
      Json& list = json[array] = Json::array();
      for (size_t end = i + length; i < end; ++i)
        list.push_back(to_json(input[i].value));
    } else {
      json[input[i].name] = to_json(input[i].value);
      ++i;
    }
  }
  return json;
}

Json to_json(const Output& output) {
  Json json{{"name", output.name}, {"computed", to_json(output.computed)}};
  if (!output.reference.decimal.empty())
    json["reference"] = to_json(output.reference);
  return json;
}

Json to_json(const Error& error) {
  Json json{{"relative", measure(error.relative)},
            {"absolute", measure(error.absolute)},
            {"ulps", measure(error.ulps)},
            {"bits", measure(error.bits)}};
  if (!error.norm.empty())
    json["norm"] = error.norm;
  return json;
}

namespace {

Json to_json(const Cause& cause) {
  Json json{{"file", cause.file}, {"line", cause.line}, {"column", cause.column}};
  if (cause.end_column > 0)
    json["end_column"] = cause.end_column;
  if (!cause.function.empty())
    json["function"] = cause.function;
  json["operation"] = cause.operation;
  if (!cause.source.empty())
    json["source"] = cause.source;
  json["condition"] = measure(cause.condition);
  json["share"] = measure(cause.share);
  return json;
}

void add_aftermath(Json& json, const Aftermath& aftermath) {
  json["silent"] = aftermath.silent();
  if (!aftermath.silent())
    json["reported_by"] = aftermath.reported_by;
  json["reaches_output"] = aftermath.reaches_output;
  if (const auto& by = aftermath.swallowed_at)
    json["swallowed_at"] = {{"file", by->file}, {"line", by->line}, {"operation", by->operation}};
  if (aftermath.result != Result::unknown)
    json["result"] = text(aftermath.result);
  json["consequence"] = aftermath.consequence;
  if (const auto& origin = aftermath.origin) {
    json["follows_from"] = to_json(origin->place);
    json["follows_from"]["kind"] = text(origin->kind);
  }
  if (aftermath.after_underflow)
    json["after_underflow"] = true;
  if (aftermath.harmless)
    json["harmless"] = true;
  if (!aftermath.flags)
    json["flags"] = false;
}

Json to_json(const Witness& witness) {
  return {{"input", input_to_json(witness.input)},
          {"computed", to_json(witness.computed)},
          {"relative", measure(witness.relative)},
          {"absolute", measure(witness.absolute)}};
}

template <class T>
Json list_to_json(const std::vector<T>& values) {
  Json list = Json::array();
  for (const T& value : values)
    list.push_back(to_json(value));
  return list;
}

} // namespace

Json to_json(const InputRange& input) {
  Json json = {{"name", input.name}, {"format", input.format}, {"low", input.low}, {"high", input.high}};
  if (input.assumed)
    json["assumed"] = true;
  if (!input.values.empty())
    json["values"] = input.values;
  return json;
}

Json to_json(const Share& share) {
  return {{"of", share.of_range ? "range" : "everyday"}, {"low", share.low}, {"high", share.high}};
}

Json to_json(const Largest& largest) {
  return {{"input", input_to_json(largest.input)}, {"error", to_json(largest.error)}};
}

namespace {

Json to_json(const ErrorPart& part) {
  return {{"relative", measure(part.relative)}, {"absolute", measure(part.absolute)}};
}

} // namespace

Json to_json(const Finding& finding) {
  Json json{{"id", finding.id}};
  if (!finding.fingerprint.empty())
    json["fingerprint"] = finding.fingerprint;
  json["kind"] = text(finding.kind);
  json["input"] = input_to_json(finding.input);
  json["everyday"] = finding.everyday;
  if (finding.half_digits)
    json["half_digits"] = true;
  if (finding.doubtful)
    json["doubtful"] = true;
  if (finding.output)
    json["output"] = to_json(*finding.output);
  if (finding.error)
    json["error"] = to_json(*finding.error);
  if (finding.parts) {
    json["method"] = to_json(finding.parts->method);
    json["rounding"] = to_json(finding.parts->rounding);
  }
  json["oracle"] = finding.oracle;
  json["strategy"] = finding.strategy;
  if (!finding.found_by.empty())
    json["found_by"] = finding.found_by;
  if (finding.cause)
    json["cause"] = to_json(*finding.cause);
  json["verdict"] = text(finding.verdict);
  if (finding.aftermath)
    add_aftermath(json, *finding.aftermath);
  if (finding.thrown)
    json["thrown"] = {{"type", finding.thrown->type}, {"what", finding.thrown->what}};
  if (!finding.detail.empty())
    json["detail"] = finding.detail;
  if (finding.diagnosis)
    json["diagnosis"] = to_json(*finding.diagnosis);
  if (finding.share)
    json["share"] = to_json(*finding.share);
  if (!finding.when.empty())
    json["when"] = finding.when;
  json["replay"] = finding.replay;
  if (finding.merged > 0) {
    json["merged"] = finding.merged;
    json["also"] = list_to_json(finding.also);
  }
  if (const auto& by = finding.suppressed)
    json["suppressed"] = {{"reason", by->reason}, {"file", by->file}, {"line", by->line}};
  if (finding.novelty != Novelty::untold)
    json["baseline"] = finding.novelty == Novelty::known ? "known" : "new";
  return json;
}

Json target_head(const TargetReport& target) {
  Json json{{"function", target.function},
            {"file", target.file},
            {"line", target.line},
            {"inputs", list_to_json(target.inputs)},
            {"sites", target.sites},
            {"evaluations", target.evaluations},
            {"seconds", measure(target.seconds)},
            {"total_seconds", measure(target.total_seconds)},
            {"outcome", text(target.outcome)}};
  if (target.cut)
    json["cut"] = true;
  if (!target.note.empty())
    json["note"] = target.note;
  if (target.largest_everyday)
    json["largest_everyday"] = to_json(*target.largest_everyday);
  if (target.largest)
    json["largest"] = to_json(*target.largest);
  if (target.proof)
    json["proof"] = to_json(*target.proof, input_names(target));
  if (target.folded > 0)
    json["folded"] = target.folded;
  if (!target.extents.empty())
    json["extents"] = to_json(target.extents);
  if (!target.settings.empty())
    json["settings"] = target.settings;
  return json;
}

Json to_json(const TargetReport& target) {
  Json json = target_head(target);
  json["findings"] = list_to_json(target.findings);
  return json;
}

Json report_head(const Report& report) {
  Json json{{"faultline", report.version}, {"schema", json_schema}, {"command", report.command}, {"seed", report.seed}};
  if (report.configuration)
    json["configuration"] = {{"file", report.configuration->file}, {"flags", report.configuration->flags}};
  if (report.baseline)
    json["baseline"] = {{"file", report.baseline->file}, {"gone", report.baseline->gone}};
  if (!report.remarks.empty())
    json["remarks"] = report.remarks;
  return json;
}

Json to_json(const Report& report) {
  Json json = report_head(report);
  json["targets"] = list_to_json(report.targets);
  Json& problems = json["problems"] = Json::array();
  for (const Problem& problem : shown_problems(report))
    problems.push_back(to_json(problem));
  return json;
}

std::string json_text(const Json& json, int indentation) {
  return json.dump(indentation, ' ', false, Json::error_handler_t::replace);
}

} // namespace faultline::finding
