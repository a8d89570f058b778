// Jobs as JSON.
#include "finding/job.h"
#include "finding/json/finding_json.h"
#include "finding/settings/table.h"

#include <array>

namespace faultline::finding {
namespace {

constexpr int job_schema = 1;

// By the order of the alternatives of Task.
constexpr std::array<std::string_view, std::variant_size_v<Task>> task_names = {
    "hunt",  "explain", "replay", "plot",  "examine",    "explore", "decisions",
    "bound", "prove",   "paths",  "probe", "candidates", "measure", "run"};

} // namespace

template <>
void Fields::list(Retry& retry) {
  required("input", retry.input);
  required("strategy", retry.strategy);
  required("found_by", retry.found_by);
}

template <>
void Fields::list(FoundAt& at) {
  required("input", at.input);
  required("finding", at.finding);
}

template <>
void Fields::list(KnownCause& cause) {
  required("kind", cause.kind);
  required("file", cause.file);
  required("line", cause.line);
  required("column", cause.column);
  required("operation", cause.operation);
  required("tier", cause.tier);
  required("everyday", cause.everyday);
  required("size", cause.size);
}

template <>
void Fields::list(HuntTask& task) {
  required("retries", task.retries);
  optional("operations", task.operations);
  optional("briefly", task.briefly);
  optional("known", task.known);
}

template <>
void Fields::list(ExplainTask& task) {
  required("input", task.input);
  required("most_rows", task.most_rows);
}

template <>
void Fields::list(ReplayTask& task) {
  required("findings", task.findings);
  required("strict", task.strict);
}

template <>
void Fields::list(PlotTask& task) {
  required("findings", task.findings);
  required("ranges", task.ranges);
  required("seconds", task.seconds);
  required("finding_seconds", task.finding_seconds);
  required("points", task.points);
  required("most_inputs", task.most_inputs);
}

template <>
void Fields::list(ExamineTask& task) {
  required("findings", task.findings);
}

template <>
void Fields::list(ExploreTask& task) {
  required("loop_bound", task.loop_bound);
  required("every_path", task.every_path);
}

template <>
void Fields::list(DecisionsTask& task) {
  required("inputs", task.inputs);
}

template <>
void Fields::list(BoundTask& task) {
  required("seconds", task.seconds);
  required("ratio", task.ratio);
  required("rounded_inputs", task.rounded_inputs);
  required("input_errors", task.input_errors);
  required("certificate", task.certificate);
  required("around", task.around);
  required("curve", task.curve);
}

template <>
void Fields::list(ProveTask& task) {
  required("found", task.found);
}
template <>
void Fields::list(PathsTask& task) {
  required("inputs", task.inputs);
}
template <>
void Fields::list(ProbeTask& task) {
  required("overruns", task.overruns);
}

template <>
void Fields::list(CandidatesTask& task) {
  required("inputs", task.inputs);
  required("vectors", task.vectors);
}

template <>
void Fields::list(MeasureTask& task) {
  required("inputs", task.inputs);
}
template <>
void Fields::list(RunTask& task) {
  required("inputs", task.inputs);
}

template <>
void Fields::list(ProgramFile& program) {
  required("path", program.path);
  required("sha256", program.sha256);
}

template <>
void Fields::list(CallLimits& limits) {
  required("call_seconds", limits.call_seconds);
  required("native_seconds", limits.native_seconds);
  required("lifted_seconds", limits.lifted_seconds);
  required("lifted_operations", limits.lifted_operations);
  required("oracle_operations", limits.oracle_operations);
  required("heap_bytes", limits.heap_bytes);
}

namespace {

template <size_t... index>
Task default_task(size_t alternative, std::index_sequence<index...>) {
  Task task;
  ((alternative == index ? void(task.emplace<index>()) : void()), ...);
  return task;
}

} // namespace

template <>
void Value::carry(Settings& settings) const {
  std::vector<std::string> words;
  if (!reads())
    words = words_of(said_by(settings));
  carry(words);
  if (reads())
    settings = read_settings(said_in(words));
}

template <>
void Fields::list(Job& job) {
  schema("job", job_schema);
  required("program", job.program);
  required("flags", job.flags);
  required("function", job.function);
  required("symbol", job.symbol);
  required("settings", job.settings);
  required("limits", job.limits);
  std::string name(task_names[job.task.index()]);
  required("task", name);
  if (reads()) {
    const size_t alternative = size_t(std::ranges::find(task_names, name) - task_names.begin());
    check(alternative < task_names.size(), "task", "is no task of a worker");
    job.task = default_task(alternative, std::make_index_sequence<task_names.size()>());
  }
  std::visit([this](auto& task) { required("what", task); }, job.task);
}

std::string job_text(const Job& job) { return json_text(to_json(job), 2) + "\n"; }

Job parse_job(std::string_view text, const std::string& name) { return read_json(text, name, from_json<Job>); }

} // namespace faultline::finding
