// The reading half of finding_json.h.
#include "finding/json/finding_json.h"

#include "finding/bound/map_json.h"
#include "finding/json/diagnosis_json.h"
#include "finding/json/extents_json.h"
#include "finding/json/json_place.h"
#include "finding/json/report_reader.h"
#include "finding/settings/table.h"
#include "numeric/decimal.h"

#include <fmt/format.h>
#include <sstream>

namespace faultline::finding {
namespace {

Number number(const Place& place) { return {place["decimal"].string(), place["hex"].string()}; }

// An input is run again, so it has to be one.
Number input_number(const Place& place) {
  const Number value = number(place);
  for (const auto& [key, text] : {std::pair{"decimal", value.decimal}, std::pair{"hex", value.hex}})
    if (!numeric::parse_long_double(text))
      place[key].refuse(fmt::format("'{}' is not a number", text.substr(0, 40)));
  return value;
}

std::vector<NamedNumber> input(const Place& place) {
  std::vector<NamedNumber> cells;
  for (const auto& [name, value] : place.members()) {
    if (!value.is_list()) {
      cells.push_back({name, input_number(value)});
      continue;
    }
    size_t index = 0;
    for (const Place& element : value.elements())
      cells.push_back({fmt::format("{}[{}]", name, index++), input_number(element)});
  }
  return cells;
}

Output output(const Place& place) {
  Output output{place["name"].string(), number(place["computed"]), {}};
  if (const auto reference = place.find("reference"))
    output.reference = number(*reference);
  return output;
}

Error error(const Place& place) {
  Error error;
  read(place, "relative", error.relative);
  read(place, "absolute", error.absolute);
  read(place, "ulps", error.ulps);
  read(place, "bits", error.bits);
  read(place, "norm", error.norm);
  return error;
}

std::optional<ErrorParts> parts(const Place& place) {
  const auto method = place.find("method"), rounding = place.find("rounding");
  if (!method || !rounding)
    return {};
  ErrorParts parts;
  read(*method, "relative", parts.method.relative);
  read(*method, "absolute", parts.method.absolute);
  read(*rounding, "relative", parts.rounding.relative);
  read(*rounding, "absolute", parts.rounding.absolute);
  return parts;
}

Cause cause(const Place& place) {
  Cause cause;
  read(place, "file", cause.file);
  read_whole(place, "line", cause.line);
  read_whole(place, "column", cause.column);
  read_whole(place, "end_column", cause.end_column);
  read(place, "function", cause.function);
  read(place, "operation", cause.operation);
  read(place, "source", cause.source);
  read(place, "condition", cause.condition);
  read(place, "share", cause.share);
  return cause;
}

// "silent" tells that there is one; it says nothing that "reported_by" does not.
std::optional<Aftermath> aftermath(const Place& place) {
  if (!place.find("silent"))
    return {};
  Aftermath aftermath;
  read(place, "reported_by", aftermath.reported_by);
  read(place, "reaches_output", aftermath.reaches_output);
  if (const auto by = place.find("swallowed_at")) {
    Swallower& swallower = aftermath.swallowed_at.emplace();
    read(*by, "file", swallower.file);
    read_whole(*by, "line", swallower.line);
    read(*by, "operation", swallower.operation);
  }
  read(place, "consequence", aftermath.consequence);
  read(place, "after_underflow", aftermath.after_underflow);
  read(place, "harmless", aftermath.harmless);
  read(place, "flags", aftermath.flags);
  if (const auto result = place.find("result"))
    aftermath.result = result->id(result_of, "right or wrong");
  if (const auto origin = place.find("follows_from"))
    aftermath.origin = Origin{cause(*origin), (*origin)["kind"].id(kind_of, "a kind of finding")};
  return aftermath;
}

Witness witness(const Place& place) {
  Witness witness;
  witness.input = input(place["input"]);
  witness.computed = number(place["computed"]);
  read(place, "relative", witness.relative);
  read(place, "absolute", witness.absolute);
  return witness;
}

std::optional<Share> share(const Place& place) {
  const auto found = place.find("share");
  if (!found)
    return {};
  Share share;
  const std::string of = (*found)["of"].string();
  if (of != "everyday" && of != "range")
    (*found)["of"].refuse("is neither everyday nor range");
  share.of_range = of == "range";
  read(*found, "low", share.low);
  read(*found, "high", share.high);
  return share;
}

Largest largest(const Place& place) { return {input(place["input"]), error(place["error"])}; }

std::optional<Suppression> suppression(const Place& place) {
  const auto found = place.find("suppressed");
  if (!found)
    return {};
  Suppression suppression;
  read(*found, "file", suppression.file);
  read_whole(*found, "line", suppression.line);
  read(*found, "reason", suppression.reason);
  return suppression;
}

Novelty novelty(const Place& place) {
  const auto found = place.find("baseline");
  if (!found)
    return Novelty::untold;
  const std::string word = found->string();
  if (word != "known" && word != "new")
    found->refuse("is neither known nor new");
  return word == "known" ? Novelty::known : Novelty::fresh;
}

Finding finding(const Place& place) {
  Finding finding;
  finding.id = place["id"].string();
  read(place, "fingerprint", finding.fingerprint);
  finding.kind = place["kind"].id(kind_of, "a kind of finding");
  finding.input = input(place["input"]);
  for (const NamedNumber& number : finding.input)
    finding.values.push_back(*numeric::parse_long_double(number.value.hex));
  read(place, "everyday", finding.everyday);
  read(place, "half_digits", finding.half_digits);
  read(place, "doubtful", finding.doubtful);
  if (const auto found = place.find("output"))
    finding.output = output(*found);
  if (const auto found = place.find("error"))
    finding.error = error(*found);
  finding.parts = parts(place);
  read(place, "oracle", finding.oracle);
  read(place, "strategy", finding.strategy);
  read(place, "found_by", finding.found_by);
  if (const auto found = place.find("cause"))
    finding.cause = cause(*found);
  if (const auto found = place.find("verdict"))
    finding.verdict = found->id(verdict_of, "a verdict");
  finding.aftermath = aftermath(place);
  if (const auto thrown = place.find("thrown")) {
    finding.thrown.emplace();
    read(*thrown, "type", finding.thrown->type);
    read(*thrown, "what", finding.thrown->what);
  }
  read(place, "detail", finding.detail);
  if (const auto found = place.find("diagnosis"))
    finding.diagnosis = diagnosis_at(*found);
  finding.share = share(place);
  read(place, "when", finding.when);
  read(place, "replay", finding.replay);
  read_whole(place, "merged", finding.merged);
  if (const auto found = place.find("also"))
    for (const Place& further : found->elements())
      finding.also.push_back(witness(further));
  finding.suppressed = suppression(place);
  finding.novelty = novelty(place);
  return finding;
}

InputRange input_range(const Place& place) {
  const auto assumed = place.find("assumed");
  InputRange range{place["name"].string(), place["format"].string(), place["low"].string(), place["high"].string(),
                   assumed && assumed->truth()};
  if (const auto values = place.find("values"))
    for (const Place& value : values->elements())
      range.values.push_back(value.integer());
  return range;
}

TargetReport target(const Place& place) {
  TargetReport target;
  target.function = place["function"].string();
  read(place, "file", target.file);
  read_whole(place, "line", target.line);
  if (const auto inputs = place.find("inputs"))
    for (const Place& input : inputs->elements())
      target.inputs.push_back(input_range(input));
  read_whole(place, "sites", target.sites);
  read_whole(place, "evaluations", target.evaluations);
  read(place, "seconds", target.seconds);
  read(place, "total_seconds", target.total_seconds);
  read(place, "cut", target.cut);
  target.outcome = place["outcome"].id(target_outcome_of, "an outcome");
  read(place, "note", target.note);
  if (const auto found = place.find("largest_everyday"))
    target.largest_everyday = largest(*found);
  if (const auto found = place.find("largest"))
    target.largest = largest(*found);
  if (const auto proof = place.find("proof"))
    target.proof = proof_at(*proof, input_names(target));
  read_whole(place, "folded", target.folded);
  if (const auto extents = place.find("extents"))
    target.extents = extents_at(*extents);
  if (const auto settings = place.find("settings"))
    target.settings = words_at(*settings);
  target.shows_all = said_in(target.settings).is_on("all");
  for (const Place& element : place["findings"].elements())
    target.findings.push_back(finding(element));
  return target;
}

Report report(const Place& place) {
  Report report;
  report.version = place["faultline"].string();
  if (const int schema = place["schema"].whole<int>(); schema != json_schema)
    place["schema"].refuse(fmt::format("is {}; this version of Faultline reads {}", schema, json_schema));
  report.command = words_at(place["command"]);
  report.seed = place["seed"].whole<uint64_t>();
  if (const auto configuration = place.find("configuration"))
    report.configuration = {(*configuration)["file"].string(), words_at((*configuration)["flags"])};
  if (const auto baseline = place.find("baseline")) {
    report.baseline.emplace();
    read(*baseline, "file", report.baseline->file);
    read_whole(*baseline, "gone", report.baseline->gone);
  }
  if (const auto remarks = place.find("remarks"))
    report.remarks = words_at(*remarks);
  for (const Place& element : place["targets"].elements())
    report.targets.push_back(target(element));
  return report;
}

} // namespace

Finding finding_at(const Place& place) { return finding(place); }
InputRange input_range_at(const Place& place) { return input_range(place); }
TargetReport target_at(const Place& place) { return target(place); }
Largest largest_at(const Place& place) { return largest(place); }

Finding finding_from_json(const Json& json) { return finding(Place(json, "")); }
TargetReport target_from_json(const Json& json) { return target(Place(json, "")); }
Report report_from_json(const Json& json) { return report(Place(json, "")); }

Finding parse_finding(std::string_view text, const std::string& name) { return read_json(text, name, finding); }
TargetReport parse_target(std::string_view text, const std::string& name) { return read_json(text, name, target); }
Report parse_report(std::string_view text, const std::string& name) {
  std::istringstream stream{std::string(text)};
  return read_report(stream, name);
}

} // namespace faultline::finding
