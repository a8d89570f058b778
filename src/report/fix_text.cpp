#include "report/fix_text.h"

#include "model/json/finding_json.h"
#include "model/json/json_place.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace faultline::report {

using namespace model;

namespace {

std::string thousands(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3; at -= 3)
    text.insert(at - 3, ",");
  return text;
}

std::string place_of(const Fix& fix) {
  return fix.column > 0 ? fmt::format("{}:{}:{}", fix.file, fix.line, fix.column)
                        : fmt::format("{}:{}", fix.file, fix.line);
}

std::string grade_words(const Fix& fix) {
  switch (fix.grade()) {
  case FixGrade::proved:
    return fmt::format("proved for {}: relative error at most {}", fix.proved->range, measure_text(fix.proved->bound));
  case FixGrade::exhaustive:
    return fmt::format("exhaustive: all {} inputs", thousands(fix.trial.tried));
  case FixGrade::tried:
    break;
  }
  const std::string tried =
      fmt::format("tried on {} inputs: none worse by more than a factor of 2 or 4 ulps", thousands(fix.trial.tried));
  return fix.trial.unknown == 0 ? tried : fmt::format("{}; {} have no reference", tried, thousands(fix.trial.unknown));
}

std::string errors_words(const TrialErrors& errors) {
  return fmt::format("{} at this input, {} everyday, {:.1f} bits lost on average", measure_text(errors.first),
                     measure_text(errors.everyday), errors.bits);
}

std::string cost_words(double cost) { return fmt::format("{:.2g} times the run time", cost); }

Json errors_json(const TrialErrors& errors) {
  return {{"relative", measure(errors.first)},
          {"everyday", measure(errors.everyday)},
          {"anywhere", measure(errors.anywhere)}};
}

Json edits_json(const std::vector<Edit>& edits) {
  Json all = Json::array();
  for (const Edit& edit : edits)
    all.push_back({{"file", edit.file}, {"offset", edit.offset}, {"length", edit.length}, {"text", edit.text}});
  return all;
}

Json fix_json(const Fix& fix) {
  Json json{{"problem", fix.problem},
            {"tier", text(fix.tier)},
            {"class", fix.fault},
            {"file", fix.file},
            {"line", fix.line},
            {"column", fix.column},
            {"function", fix.function},
            {"source", fix.source},
            {"input", to_json(fix.input)},
            {"patch", fix.patch},
            {"edits", edits_json(fix.edits)}};
  if (!fix.is_repaired()) {
    json["refused"] = fix.refusal;
    json["candidates"] = fix.candidates;
    return json;
  }
  json["text"] = fix.advice;
  json["error"] = {{"before", errors_json(fix.trial.before)}, {"after", errors_json(fix.trial.after)}};
  json["bits"] = {{"before", measure(fix.trial.before.bits)}, {"after", measure(fix.trial.after.bits)}};
  json["cost"] = measure(fix.trial.cost);
  json["tried"] = fix.trial.tried;
  json["worse"] = fix.trial.worse;
  json["grade"] = text(fix.grade());
  json["steps"] = fix.steps;
  json["proved"] = fix.proved ? Json{{"range", fix.proved->range}, {"bound", measure(fix.proved->bound)}} : Json();
  return json;
}

} // namespace

std::string fix_text(const FixReport& report, const Style& style) {
  std::string all;
  for (const Fix& fix : report.fixes) {
    all +=
        fmt::format("{}: {}: {}: {}\n", style.bold(printable(place_of(fix))),
                    fix.tier == Tier::error ? style.bad("error") : style.warn(text(fix.tier)), printable(fix.function),
                    printable(fmt::format("{} [{}]", fix.source.empty() ? "the result" : fix.source, fix.fault)));
    const auto field = [&](const char* label, const std::string& words) {
      all += fmt::format("  {} {}\n", style.faint(fmt::format("{:8}", label)), printable(words));
    };
    if (!fix.is_repaired()) {
      field("no fix", fix.refusal);
      continue;
    }
    field("fix", fix.advice);
    field("before", errors_words(fix.trial.before));
    field("after", errors_words(fix.trial.after));
    field("grade", fmt::format("{}; {}", grade_words(fix), cost_words(fix.trial.cost)));
  }
  for (const std::string& note : report.notes)
    all += note + "\n";
  return all;
}

std::string fix_json(const FixReport& report) {
  Json fixes = Json::array();
  for (const Fix& fix : report.fixes)
    fixes.push_back(fix_json(fix));
  Json files = Json::array();
  for (const FixedFile& file : report.files)
    if (file.before != file.after)
      files.push_back({{"file", file.file}, {"patch", unified_diff(file.file, file.before, file.after)}});
  const Json json{{"faultline", report.version},
                  {"schema", 1},
                  {"command", report.command},
                  {"fixes", fixes},
                  {"files", files},
                  {"notes", report.notes},
                  {"reproduced", report.reproduced},
                  {"interrupted", report.interrupted}};
  return json_text(json, 2) + "\n";
}

namespace {

// Text of a table's cell.
std::string cell(std::string text) {
  std::string safe;
  for (const char c : printable(text)) {
    if (c == '|')
      safe += '\\';
    safe += c;
  }
  return safe;
}

} // namespace

std::string fix_markdown(const FixReport& report) {
  const auto repaired = size_t(std::ranges::count_if(report.fixes, &Fix::is_repaired));
  std::string all = fmt::format("### {} of {} repaired\n\n", repaired, counted(report.fixes.size(), "problem"));
  if (repaired > 0) {
    all += "| place | before | after | bits lost, before | after | run time | grade |\n|---|---|---|---|---|---|---|\n";
    for (const Fix& fix : report.fixes)
      if (fix.is_repaired())
        all += fmt::format("| {} `{}` | {} | {} | {:.1f} | {:.1f} | {:.2g}x | {} |\n", cell(place_of(fix)),
                           cell(fix.source), measure_text(fix.trial.before.first), measure_text(fix.trial.after.first),
                           fix.trial.before.bits, fix.trial.after.bits, fix.trial.cost, cell(grade_words(fix)));
    all += "\n```diff\n" + report.diff() + "```\n";
  }
  for (const Fix& fix : report.fixes)
    if (!fix.is_repaired())
      all += fmt::format("\n- {} `{}`: no repair: {}\n", cell(place_of(fix)), cell(fix.source), cell(fix.refusal));
  return all;
}

} // namespace faultline::report
