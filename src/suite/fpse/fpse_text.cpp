#include "suite/fpse/fpse_text.h"

#include "report/table.h"

#include <algorithm>
#include <fmt/format.h>
#include <functional>

namespace faultline::suite {
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
