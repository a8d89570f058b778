// Jobs as JSON.
#include "finding/job.h"
#include "finding/json/finding_json.h"
#include "finding/json/input_json.h"
#include "finding/json/json.h"
#include "finding/settings/table.h"

#include <array>

namespace faultline::finding {
namespace {

constexpr int job_schema = 1;

// By the order of the alternatives of Task.
constexpr std::array<const char*, std::variant_size_v<Task>> task_names = {
    "hunt",  "explain", "replay", "plot",  "examine",    "explore", "decisions",
    "bound", "prove",   "paths",  "probe", "candidates", "measure", "run"};

Json list_of(const std::vector<FoundAt>& findings) {
  Json list = Json::array();
  for (const FoundAt& at : findings)
    list.push_back({{"input", values_to_json(at.input)}, {"finding", to_json(at.finding)}});
  return list;
}

std::vector<FoundAt> findings_at(const Place& place) {
  std::vector<FoundAt> findings;
  for (const Place& at : place.elements())
    findings.push_back({values_at(at["input"]), finding_at(at["finding"])});
  return findings;
}

Json to_json(const HuntTask& task) {
  Json retries = Json::array();
  for (const Retry& retry : task.retries)
    retries.push_back(to_json(retry));
  Json json{{"retries", retries}};
  if (task.operations)
    json["operations"] = *task.operations;
  if (task.briefly)
    json["briefly"] = true;
  for (const KnownCause& cause : task.known)
    json["known"].push_back({{"kind", text(cause.kind)},
                             {"file", cause.file},
                             {"line", cause.line},
                             {"column", cause.column},
                             {"operation", cause.operation},
                             {"tier", text(cause.tier)},
                             {"everyday", cause.everyday},
                             {"size", cause.size}});
  return json;
}
Json to_json(const ExplainTask& task) { return {{"input", values_to_json(task.input)}, {"most_rows", task.most_rows}}; }
Json to_json(const ReplayTask& task) { return {{"findings", list_of(task.findings)}, {"strict", task.strict}}; }
Json to_json(const PlotTask& task) {
  Json ranges = Json::array();
  for (const InputRange& range : task.ranges)
    ranges.push_back(to_json(range));
  return {{"findings", list_of(task.findings)},      {"ranges", ranges},      {"seconds", task.seconds},
          {"finding_seconds", task.finding_seconds}, {"points", task.points}, {"most_inputs", task.most_inputs}};
}
Json to_json(const ExamineTask& task) { return {{"findings", list_of(task.findings)}}; }
Json to_json(const ExploreTask& task) { return {{"loop_bound", task.loop_bound}, {"every_path", task.every_path}}; }
Json list_of(const std::vector<Input>& inputs) {
  Json list = Json::array();
  for (const Input& input : inputs)
    list.push_back(values_to_json(input));
  return list;
}
Json to_json(const DecisionsTask& task) { return {{"inputs", list_of(task.inputs)}}; }
Json to_json(const ProveTask& task) { return {{"found", list_of(task.found)}}; }
Json to_json(const PathsTask& task) { return {{"inputs", list_of(task.inputs)}}; }

Json to_json(const BoundTask& task) {
  Json errors = Json::object(), around = Json::object();
  for (const auto& [name, error] : task.input_errors)
    errors[name] = error;
  for (const auto& [name, value] : task.around)
    around[name] = value;
  return {{"seconds", task.seconds},
          {"ratio", task.ratio},
          {"rounded_inputs", task.rounded_inputs},
          {"input_errors", errors},
          {"certificate", task.certificate},
          {"around", around},
          {"curve", task.curve}};
}

Json to_json(const ProbeTask& task) { return {{"overruns", list_of(task.overruns)}}; }
Json to_json(const CandidatesTask& task) { return {{"inputs", list_of(task.inputs)}, {"vectors", task.vectors}}; }
Json to_json(const MeasureTask& task) { return {{"inputs", list_of(task.inputs)}}; }
Json to_json(const RunTask& task) { return {{"inputs", list_of(task.inputs)}}; }

KnownCause known_cause_at(const Place& place) {
  return {place["kind"].id<Kind>(kind_of, "a kind of finding"),
          place["file"].string(),
          place["line"].whole<int>(),
          place["column"].whole<int>(),
          place["operation"].string(),
          place["tier"].id<Tier>(tier_of, "a tier"),
          place["everyday"].truth(),
          place["size"].measure()};
}

HuntTask hunt_at(const Place& place) {
  HuntTask task;
  for (const Place& retry : place["retries"].elements())
    task.retries.push_back(retry_at(retry));
  if (const auto operations = place.find("operations"))
    task.operations = operations->whole<uint64_t>();
  read(place, "briefly", task.briefly);
  if (const auto known = place.find("known"))
    for (const Place& cause : known->elements())
      task.known.push_back(known_cause_at(cause));
  return task;
}

PlotTask plot_at(const Place& place) {
  PlotTask task;
  task.findings = findings_at(place["findings"]);
  for (const Place& range : place["ranges"].elements())
    task.ranges.push_back(input_range_at(range));
  task.seconds = place["seconds"].measure();
  task.finding_seconds = place["finding_seconds"].measure();
  task.points = place["points"].whole<uint64_t>();
  task.most_inputs = place["most_inputs"].whole<uint64_t>();
  return task;
}

std::vector<Input> inputs_at(const Place& place) {
  std::vector<Input> inputs;
  for (const Place& input : place.elements())
    inputs.push_back(values_at(input));
  return inputs;
}

BoundTask bound_at(const Place& place) {
  BoundTask task{place["seconds"].measure(), place["ratio"].measure(), place["rounded_inputs"].truth()};
  for (const auto& [name, error] : place["input_errors"].members())
    task.input_errors.emplace_back(name, error.measure());
  task.certificate = place["certificate"].truth();
  for (const auto& [name, value] : place["around"].members())
    task.around.emplace_back(name, value.measure());
  task.curve = place["curve"].truth();
  return task;
}

Task task_at(const Place& job) {
  const Place place = job["what"];
  const std::string name = job["task"].string();
  if (name == "hunt")
    return hunt_at(place);
  if (name == "explain")
    return ExplainTask{values_at(place["input"]), place["most_rows"].whole<uint64_t>()};
  if (name == "replay")
    return ReplayTask{findings_at(place["findings"]), place["strict"].truth()};
  if (name == "plot")
    return plot_at(place);
  if (name == "examine")
    return ExamineTask{findings_at(place["findings"])};
  if (name == "explore")
    return ExploreTask{place["loop_bound"].whole<int>(), place["every_path"].truth()};
  if (name == "decisions")
    return DecisionsTask{inputs_at(place["inputs"])};
  if (name == "bound")
    return bound_at(place);
  if (name == "prove")
    return ProveTask{inputs_at(place["found"])};
  if (name == "paths")
    return PathsTask{inputs_at(place["inputs"])};
  if (name == "probe")
    return ProbeTask{inputs_at(place["overruns"])};
  if (name == "candidates")
    return CandidatesTask{inputs_at(place["inputs"]), place["vectors"].whole<uint64_t>()};
  if (name == "measure")
    return MeasureTask{inputs_at(place["inputs"])};
  if (name == "run")
    return RunTask{inputs_at(place["inputs"])};
  job["task"].refuse("is no task of a worker");
}

Json to_json(const CallLimits& limits) {
  return {{"call_seconds", limits.call_seconds},           {"native_seconds", limits.native_seconds},
          {"lifted_seconds", limits.lifted_seconds},       {"lifted_operations", limits.lifted_operations},
          {"oracle_operations", limits.oracle_operations}, {"heap_bytes", limits.heap_bytes}};
}

CallLimits limits_at(const Place& place) {
  return {place["call_seconds"].measure(),
          place["native_seconds"].measure(),
          place["lifted_seconds"].measure(),
          place["lifted_operations"].whole<uint64_t>(),
          place["oracle_operations"].whole<uint64_t>(),
          place["heap_bytes"].whole<uint64_t>()};
}

Job job_at(const Place& place) {
  if (const int schema = place["job"].whole<int>(); schema != job_schema)
    place["job"].refuse(fmt::format("is {}; this version of Faultline reads {}", schema, job_schema));
  Job job;
  job.program = {place["program"]["path"].string(), place["program"]["sha256"].string()};
  job.flags = words_at(place["flags"]);
  job.function = place["function"].string();
  job.symbol = place["symbol"].string();
  job.settings = read_settings(said_in(words_at(place["settings"])));
  job.limits = limits_at(place["limits"]);
  job.task = task_at(place);
  return job;
}

} // namespace

Json to_json(const Job& job) {
  return {{"job", job_schema},
          {"program", {{"path", job.program.path}, {"sha256", job.program.sha256}}},
          {"flags", job.flags},
          {"function", job.function},
          {"symbol", job.symbol},
          {"settings", words_of(said_by(job.settings))},
          {"limits", to_json(job.limits)},
          {"task", task_names[job.task.index()]},
          {"what", std::visit([](const auto& task) { return to_json(task); }, job.task)}};
}

Json to_json(const Retry& retry) {
  return {{"input", values_to_json(retry.input)}, {"strategy", retry.strategy}, {"found_by", retry.found_by}};
}

Retry retry_at(const Place& place) {
  return {values_at(place["input"]), place["strategy"].string(), place["found_by"].string()};
}

std::string job_text(const Job& job) { return json_text(to_json(job), 2) + "\n"; }

Job parse_job(std::string_view text, const std::string& name) { return read_json(text, name, job_at); }

} // namespace faultline::finding
