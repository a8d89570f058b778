#include "suite/fpse/fpse_rows.h"

#include "finding/json/finding_json.h"
#include "finding/json/json.h"
#include "suite/csv.h"

#include <fmt/format.h>

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

} // namespace faultline::suite
