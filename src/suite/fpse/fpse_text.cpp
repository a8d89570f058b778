#include "suite/fpse/fpse_text.h"

#include "finding/json/finding_json.h"
#include "finding/json/json_place.h"
#include "suite/bench.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace faultline::suite {

namespace {

using Cells = std::vector<std::string>;

const Cells titles = {"benchmark",   "solver",    "answer",   "seconds", "projections",
                      "constraints", "variables", "expected", "fpse",    "agrees"};

std::string seconds_text(double seconds) { return fmt::format("{:.6f}", seconds); }

Cells cells(const ProgramResult& result, const std::string& solver) {
  return {fmt::format("{}_{}", result.program->name, result.format == numeric::binary32 ? "single" : "double"),
          solver,
          result.answer(),
          seconds_text(result.seconds),
          fmt::format("{}", result.extent.projections),
          fmt::format("{}", result.constraints),
          fmt::format("{}", result.variables),
          text(result.expected()),
          text(result.fpse()),
          result.agrees ? "yes" : "no"};
}

Cells cells(const PathResult& path, bool ulp_max, const std::string& solver) {
  const solve::Result& result = ulp_max ? path.with : path.without;
  const std::string name = path.study == CaseStudy::dichotomic ? fmt::format("dichotomic {}: {}", path.depth, path.path)
                                                               : fmt::format("tcas: {}", path.path);
  return {name,
          ulp_max ? solver : solver + " without ULP-max",
          std::string(solve::name(result.answer)),
          seconds_text(result.seconds),
          fmt::format("{}", result.projections),
          fmt::format("{}", path.constraints),
          fmt::format("{}", path.variables),
          "",
          "",
          ""};
}

std::vector<Cells> rows(const FpseEvaluation& evaluation) {
  std::vector<Cells> all;
  const std::string& solver = evaluation.options.solver;
  for (const ProgramResult& result : evaluation.programs)
    all.push_back(cells(result, solver));
  for (const PathResult& path : evaluation.paths)
    for (const bool ulp_max : {true, false})
      all.push_back(cells(path, ulp_max, solver));
  return all;
}

bool is_number(const std::string& title) {
  return title == "seconds" || title == "projections" || title == "constraints" || title == "variables";
}

} // namespace

std::string fpse_csv(const FpseEvaluation& evaluation) {
  std::string text = csv_line(titles);
  for (const Cells& row : rows(evaluation))
    text += csv_line(row);
  return text;
}

std::string fpse_json(const FpseEvaluation& evaluation) {
  finding::Json list = finding::Json::array();
  for (const Cells& row : rows(evaluation)) {
    finding::Json entry;
    for (size_t i = 0; i < titles.size(); ++i)
      if (!row[i].empty())
        entry[titles[i]] = is_number(titles[i]) ? finding::Json::parse(row[i]) : finding::Json(row[i]);
    list.push_back(std::move(entry));
  }
  finding::Json json;
  json["suite"] = "fpse";
  json["time_limit_seconds"] = evaluation.options.seconds;
  json["good"] = evaluation.good();
  json["rows"] = std::move(list);
  return finding::json_text(json, 2) + "\n";
}

namespace {

using report::Align;
using report::Column;
using report::Row;

std::string milliseconds(double seconds) { return fmt::format("{:.1f}", 1e3 * seconds); }

std::string program_table(const FpseEvaluation& evaluation, const report::Style& style) {
  const std::vector<Column> columns = {
      {"program"},     {"format"}, {"constraints", Align::right}, {"expected"}, {"FPSE"},
      {"ours, exact"}, {"agrees"}, {"ms", Align::right}};
  std::vector<Row> rows;
  for (const ProgramResult& result : evaluation.programs)
    rows.push_back({result.program->name, result.format == numeric::binary32 ? "single" : "double",
                    fmt::format("{}", result.constraints), text(result.expected()), text(result.fpse()),
                    result.answer(), result.agrees ? "yes" : "NO", milliseconds(result.seconds)});
  return rows.empty() ? "" : report::table(columns, rows, style) + "\n";
}

std::string ratio_text(const PathResult& path, double ratio) {
  if (!path.solved())
    return "-";
  return fmt::format("{}{:.1f}", path.without.answer == solve::Answer::unknown ? "> " : "", ratio);
}

std::string path_name(const PathResult& path) {
  return path.study == CaseStudy::dichotomic
             ? fmt::format("{} turn{}, {}", path.depth, path.depth == 1 ? "" : "s", path.path)
             : path.path;
}

std::string path_table(const FpseEvaluation& evaluation, CaseStudy study, const report::Style& style) {
  const bool dichotomic = study == CaseStudy::dichotomic;
  const std::vector<Column> columns = {{dichotomic ? "dichotomic()" : "tcas_periodic_task_1Hz()"},
                                       {"constraints", Align::right},
                                       {"variables", Align::right},
                                       {"without"},
                                       {"projections", Align::right},
                                       {"ms", Align::right},
                                       {"with ULP-max"},
                                       {"projections", Align::right},
                                       {"ms", Align::right},
                                       {"ratio", Align::right},
                                       {"of times", Align::right}};
  std::vector<Row> rows;
  for (const PathResult& path : evaluation.paths)
    if (path.study == study)
      rows.push_back({path_name(path), fmt::format("{}", path.constraints), fmt::format("{}", path.variables),
                      std::string(solve::name(path.without.answer)), fmt::format("{}", path.without.projections),
                      milliseconds(path.without.seconds), std::string(solve::name(path.with.answer)),
                      fmt::format("{}", path.with.projections), milliseconds(path.with.seconds),
                      ratio_text(path, path.ratio_of_projections()), ratio_text(path, path.ratio_of_times())});
  return rows.empty() ? "" : report::table(columns, rows, style) + "\n";
}

std::string summary(const FpseEvaluation& evaluation) {
  const auto count = [&](CaseStudy study, auto condition) {
    return std::ranges::count_if(
        evaluation.paths, [&](const PathResult& path) { return path.study == study && std::invoke(condition, path); });
  };
  std::string text =
      fmt::format("{} of {} results agree with what is expected.\n",
                  std::ranges::count_if(evaluation.programs, &ProgramResult::agrees), evaluation.programs.size());
  for (const CaseStudy study : {CaseStudy::dichotomic, CaseStudy::tcas})
    text += fmt::format(
        "{}: of {} paths, {} solved with ULP-max, {} without; {} with at most half the projections.\n",
        study == CaseStudy::dichotomic ? "dichotomic()" : "tcas_periodic_task_1Hz()",
        count(study, [](const PathResult&) { return true; }), count(study, &PathResult::solved),
        count(study, [](const PathResult& path) { return path.without.answer != solve::Answer::unknown; }),
        count(study, [](const PathResult& path) { return path.solved() && path.ratio_of_projections() >= 2; }));
  return text +
         fmt::format("unknown: not solved in {} s; ratios, of projections and of times, are lower bounds then.\n",
                     evaluation.options.seconds);
}

} // namespace

std::string fpse_text(const FpseEvaluation& evaluation, const report::Style& style) {
  return program_table(evaluation, style) + path_table(evaluation, CaseStudy::dichotomic, style) +
         path_table(evaluation, CaseStudy::tcas, style) + summary(evaluation);
}

} // namespace faultline::suite
