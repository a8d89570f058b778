#include "hunt/replay.h"

#include "hunt/targets.h"
#include "hunt/workers.h"
#include "model/csv_lines.h"
#include "model/settings/table.h"
#include "model/target.h"

#include <algorithm>

namespace faultline::hunt {

using namespace model;

namespace {

// Returns the --at options of the input. Consecutive cells A[0], A[1], ... become A=1,2,...; a single cell keeps its
// index.
std::vector<std::string> at_words(const std::vector<NamedNumber>& input) {
  std::vector<std::string> words;
  for (size_t i = 0; i < input.size();) {
    const model::ArrayRun run = model::array_run(input, i);
    std::string word = (run.length > 1 ? run.array : input[i].name) + "=" + input[i].value.decimal;
    for (const size_t end = i + std::max<size_t>(run.length, 1); ++i < end;)
      word += "," + input[i].value.decimal;
    words.push_back(std::move(word));
  }
  return words;
}

bool has_input(const Finding& finding, const std::string& name) {
  return std::ranges::any_of(
      finding.input, [&](const NamedNumber& cell) { return cell.name == name || cell.name.starts_with(name + "["); });
}

// Adds the settings that explain accepts, except held inputs, which --at gives.
void add_settings(std::vector<std::string>& words, const Settings& settings, const Finding& finding) {
  const RawSettings raw = raw_settings_of(settings);
  for (const Setting& setting : model::all_settings()) {
    if (!setting.of_function() || !(setting.commands & model::command::explain))
      continue;
    for (const std::string& value : raw.values(setting.key)) {
      if (std::string_view(setting.key) == "hold" && has_input(finding, model::name_in(value)))
        continue;
      words.emplace_back(setting.option);
      if (setting.form != Form::flag)
        words.push_back(value);
    }
  }
}

std::vector<std::string> explain_words(const Options& options, const Settings& settings, const TargetReport& target,
                                       const Finding& finding) {
  std::vector<std::string> words{"faultline", "explain"};
  const auto add = [&](const char* option, const std::string& value) {
    words.emplace_back(option);
    words.push_back(value);
  };
  if (!options.sources.of_database)
    std::ranges::copy(options.sources.files, std::back_inserter(words));
  if (!options.sources.compilation_database.empty())
    add("-p", options.sources.compilation_database);
  if (options.configuration && !options.configuration->file.empty()) // that of a saved hunt may have no file
    add("--config", options.configuration->file);
  else if (options.without_configuration)
    words.emplace_back("--no-config");
  add("-f", target.function);
  add_settings(words, settings, finding);
  for (const std::string& word : at_words(finding.input))
    add("--at", word);
  // The flags of the configuration come first. They are read again, so they are left out.
  const size_t given = options.configuration ? options.configuration->flags.size() : 0;
  if (options.sources.flags.size() > given) {
    words.emplace_back("--");
    std::copy(options.sources.flags.begin() + long(given), options.sources.flags.end(), std::back_inserter(words));
  }
  return words;
}

} // namespace

std::string explain_command(const Options& options, const Settings& settings, const TargetReport& target,
                            const Finding& finding) {
  return model::shell_line(explain_words(options, settings, target, finding));
}

std::string replay_command(const Options& options, const Settings& settings, const TargetReport& target,
                           const Finding& finding) {
  return options.json_report.empty()
             ? explain_command(options, settings, target, finding)
             : model::shell_line({"faultline", "replay", options.json_report, "--only", finding.id});
}

Replayer::Replayer(const Options& options)
    : options_(options), program_(std::make_unique<program::Program>(load_program(options))) {}

Replayer::~Replayer() = default;

std::vector<ReplayResult> Replayer::replay(const TargetReport& report, const std::vector<Finding>& findings,
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

  std::vector<ReplayResult> results(findings.size(), {.what = "time was up before it was run"});
  run_all(job_for(target, settings, own, {}),
          {.program = *program_,
           .target = target,
           .limits = own.worker,
           .inputs = saved.size(),
           .task =
               [&](size_t first) {
                 return ReplayTask{{saved.begin() + long(first), saved.end()}, strict};
               },
           .on_result =
               [&](size_t i, const Message& message) {
                 if (const auto* result = std::get_if<ReplayResult>(&message))
                   results[order[i]] = *result;
               },
           .on_death =
               [&](size_t i, const WorkerDeath& died) {
                 ReplayResult& result = results[order[i]];
                 result.what = detail_of(died);
                 const Finding& saved = findings[order[i]];
                 result.reproduced =
                     died.in_call && (died.hung ? saved.kind == Kind::timeout : result.what == saved.detail);
               }});
  return results;
}

} // namespace faultline::hunt
