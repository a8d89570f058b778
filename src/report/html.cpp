#include "report/html.h"

#include "model/comparison.h"
#include "model/expression.h"
#include "model/finding.h"
#include "model/json/finding_json.h"
#include "model/json/json_place.h"
#include "model/json/report_file.h"
#include "numeric/decimal.h"
#include "report/bound_text.h"
#include "report/problem_text.h"
#include "report/status_text.h"
#include "report/text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <set>

namespace faultline::report {

using namespace model;

namespace {

// The scripts in the order of their dependencies.
constexpr const char* bound_scripts[] = {"element.js",    "map_axis.js", "map_picture.js",
                                         "bound_plot.js", "theme.js",    "bound_page.js"};
constexpr const char* bound_styles[] = {"colours.css", "report.css", "finding.css", "plot.css", "bound.css"};

std::string joined(std::span<const char* const> names) {
  std::string text;
  for (const char* name : names)
    text += web_file(name) + "\n";
  return text;
}

// Replaces the marks in the template by the parts. A single pass, so that marks inside a part are not replaced.
std::string filled(const std::string& page, const std::map<std::string, std::string>& parts) {
  std::string text;
  size_t at = 0;
  while (at < page.size()) {
    size_t next = page.size();
    const std::pair<const std::string, std::string>* part = nullptr;
    for (const auto& candidate : parts)
      if (const size_t found = page.find(candidate.first, at); found < next) {
        next = found;
        part = &candidate;
      }
    text.append(page, at, next - at);
    if (part)
      text += part->second;
    at = next + (part ? part->first.size() : 0);
  }
  return text;
}

constexpr int around_cause = 12, around_others = 2, largest_function = 60;

bool ends_fortran(const std::string& line) {
  std::string word;
  for (const char c : line)
    if (c != ' ' && c != '\t')
      word += char(std::tolower(static_cast<unsigned char>(c)));
  return word.starts_with("endfunction") || word.starts_with("endsubroutine");
}

// Lines of source files, in the order in which the files are mentioned.
class Lines {
public:
  explicit Lines(const SourceLine& source) : source_(source) {}

  void add(const std::string& file, int first, int last) {
    if (std::ranges::find(files_, file) == files_.end())
      files_.push_back(file);
    for (int line = std::max(1, first); line <= last; ++line)
      if (source_(file, line))
        lines_[file].insert(line);
  }

  // Adds a line with its neighbours if it is missing.
  void add_place(const std::string& file, int line) {
    if (const auto found = lines_.find(file); found == lines_.end() || !found->second.contains(line))
      add(file, line - around_others, line + around_others);
  }

  std::vector<Span> spans() const {
    std::vector<Span> all;
    for (const std::string& file : files_) {
      const auto found = lines_.find(file);
      if (found == lines_.end())
        continue;
      for (const int line : found->second)
        if (!all.empty() && all.back().file == file && all.back().last + 1 == line)
          all.back().last = line;
        else
          all.push_back({file, line, line});
    }
    return all;
  }

private:
  const SourceLine& source_;
  std::vector<std::string> files_;
  std::map<std::string, std::set<int>> lines_;
};

// The data of a campaign's page in addition to its report: the dashboard. The page formats and draws it (web/).
template <class Row, class Read> Json column(const std::vector<Row>& rows, Read read) {
  Json list = Json::array();
  for (const Row& row : rows)
    list.push_back(read(row));
  return list;
}

Json curve_json(const std::vector<CampaignPoint>& curve) {
  using Point = CampaignPoint;
  return {{"seconds", column(curve, [](const Point& point) { return point.seconds; })},
          {"errors", column(curve, [](const Point& point) { return point.errors; })},
          {"warnings", column(curve, [](const Point& point) { return point.warnings; })},
          {"evaluations", column(curve, [](const Point& point) { return point.evaluations; })}};
}

Json targets_json(const std::vector<CampaignTarget>& targets) {
  using Target = CampaignTarget;
  return {{"state", column(targets, [](const Target& target) { return target.state; })},
          {"rounds", column(targets, [](const Target& target) { return target.rounds; })},
          {"quiet", column(targets, [](const Target& target) { return target.quiet; })},
          {"reached", column(targets, [](const Target& target) { return target.reached; })}};
}

Json run_json(const CampaignRun& run) {
  Json json{{"id", run.id}, {"started", run.started}, {"ending", run.ending}, {"commit", run.commit}};
  if (run.ended)
    json["ended"] = *run.ended;
  return json;
}

Json past_json(const PastProblem& problem) {
  return {{"tier", problem.tier},
          {"class", problem.fault},
          {"file", problem.file},
          {"line", problem.line},
          {"function", problem.function}};
}

Json unseen_json(const CampaignUnseen& unseen) {
  return {{"estimate", unseen.estimate}, {"low", unseen.low}, {"high", unseen.high}, {"functions", unseen.functions}};
}

// Uses lists of equal length for the curve and the functions, because with objects the keys would be most of the file.
Json campaign_data(const CampaignPage& page) {
  const CampaignStatus& status = page.status;
  Json json{{"folder", status.folder},
            {"running", status.is_running},
            {"functions", status.functions},
            {"looked_at", status.looked_at},
            {"refused", status.refused},
            {"gone", status.gone},
            {"jobs", status.jobs},
            {"cut", status.cut},
            {"evaluations", status.evaluations},
            {"seconds", status.seconds},
            {"sites", status.sites},
            {"reached", status.reached},
            {"outlook", outlook_text(status)}};
  if (status.unseen)
    json["unseen"] = unseen_json(*status.unseen);
  json["curve"] = curve_json(status.curve);
  json["runs"] = column(status.runs, run_json);
  json["targets"] = targets_json(page.targets);
  json["first_runs"] = page.first_runs;
  if (page.news)
    json["news"] = {{"written", page.news->written},
                    {"run", page.news->run},
                    {"fresh", page.news->fresh},
                    {"gone", column(page.news->gone, past_json)}};
  return json;
}

// Returns the report without what a page does not show: folded findings, which it counts, and further inputs. For a
// library they would be a quarter of the file.
Report as_shown(Report report) {
  for (TargetReport& target : report.targets) {
    if (!target.shows_all)
      target.folded += std::erase_if(target.findings, model::is_folded);
    for (Finding& finding : target.findings)
      finding.also.clear();
  }
  return report;
}

// Plots in the form of the HTML page: columns, which are what is drawn, and are shorter than objects.

// Rounds to three digits, which is enough to draw. A thousand plots must not make the file slow to open.
Json rounded(double measure) {
  if (std::isnan(measure))
    return nullptr;
  if (std::fabs(measure) > 1e300)
    return std::copysign(1e300, measure);
  return std::strtod(fmt::format("{:.2e}", measure).c_str(), nullptr);
}

Json offset_json(double offset) {
  const bool whole = std::fabs(offset) < 1e6; // 12, not 12.0
  return whole ? Json(int64_t(offset)) : rounded(offset);
}

Json output_json(const std::string& decimal) {
  if (decimal.empty())
    return nullptr;
  const double value = std::strtod(decimal.c_str(), nullptr);
  const bool lost = value == 0 && decimal.find_first_of("123456789") < decimal.find('e');
  return std::isfinite(value) && !lost ? Json(value) : Json(decimal);
}

Json points_json(const std::vector<PlotPoint>& points) {
  Json json = Json::object();
  auto column = [&](const char* name, auto&& entry) {
    Json& list = json[name] = Json::array();
    for (const PlotPoint& point : points)
      list.push_back(entry(point));
  };
  using Point = PlotPoint;
  column("values", [](const Point& point) { return point.value; });
  column("offsets", [](const Point& point) { return offset_json(point.offset); });
  column("errors", [](const Point& point) { return rounded(point.error); });
  column("ulps", [](const Point& point) { return rounded(point.ulps); });
  column("computed", [](const Point& point) { return output_json(point.computed); });
  column("exact", [](const Point& point) { return output_json(point.exact); });
  if (std::ranges::any_of(points, [](const Point& point) { return !std::isnan(point.remedy); }))
    column("remedies", [](const Point& point) { return rounded(point.remedy); });
  return json;
}

// Returns for each input: values, offsets, errors, ulps, computed, exact and, if there is a remedy, remedies. Infinite
// errors are 1e300 and unknown ones null. Outputs are numbers, or text if they are not finite doubles.
Json plots_json(const Plots& plots) {
  Json list = Json::array();
  for (const Plot& plot : plots.inputs)
    list.push_back({{"input", plot.input}, {"around", points_json(plot.around)}, {"range", points_json(plot.range)}});
  return list;
}

// The data of a problem that the HTML page shows in addition to its JSON: the terminal's text and the place in the
// source.

// Returns the lines of the source around the place; nothing if they cannot be read.
std::vector<Span> problem_spans(const Problem& problem, const SourceLine& source) {
  constexpr int around = 3; // lines before and after, for orientation
  if (problem.line < 1 || !source(problem.file, problem.line))
    return {};
  Span span{problem.file, problem.line, problem.line};
  while (span.first > 1 && problem.line - span.first < around && source(problem.file, span.first - 1))
    --span.first;
  while (span.last - problem.line < around && source(problem.file, span.last + 1))
    ++span.last;
  return {span};
}

// `excerpt` lists the displayed lines.
Json problem_extra(const Problem& problem, const SourceLine& source) {
  const Finding& finding = problem.representative();
  Json json{{"title", numeric::as_typed(problem_title(problem))}, {"try", brief_input(finding.input)}};
  if (finding.share)
    json["share"] = share_text(*finding.share);
  if (problem.worst.finding) {
    json["worst"] = brief_input(problem.worst.finding->input);
    json["worst_finding"] = problem.worst.finding->id;
    json["worst_function"] = problem.worst.target->function;
  }
  Json& spans = json["excerpt"] = Json::array();
  for (const Span& span : problem_spans(problem, source))
    spans.push_back(Json::array({span.file, span.first, span.last}));
  if (const auto line = source(problem.file, problem.line))
    if (const auto expression = model::expression_in(problem.file, *line, problem.column))
      json["underlined"] = Json::array({expression->first, expression->end});
  return json;
}

// The scripts in the order of their dependencies.
constexpr const char* scripts[] = {"element.js",   "numbers.js",   "findings.js",  "problems.js", "source.js",
                                   "axes.js",      "curves.js",    "map_layer.js", "plot.js",     "plot_figure.js",
                                   "plot_card.js", "values.js",    "detail.js",    "problem.js",  "list.js",
                                   "yield.js",     "lazy_rows.js", "functions.js", "overview.js", "news.js",
                                   "campaign.js",  "theme.js",     "main.js"};
constexpr const char* styles[] = {"colours.css", "report.css",      "overview.css", "campaign.css", "list.css",
                                  "finding.css", "explanation.css", "plot.css",     "narrow.css"};

using SourceLines = std::map<std::string, std::map<int, std::string>>; // by file

Json lines_json(const SourceLines& sources) {
  Json json = Json::object();
  for (const auto& [file, lines] : sources) {
    Json& texts = json[file] = Json::object();
    for (const auto& [line, text] : lines)
      texts.emplace(std::to_string(line), text);
  }
  return json;
}

void add_lines(SourceLines& sources, const std::vector<Span>& spans, const SourceLine& source) {
  for (const Span& span : spans)
    for (int line = span.first; line <= span.last; ++line)
      sources[span.file].emplace(line, source(span.file, line).value_or(""));
}

// The data of a finding that the page shows in addition to its JSON.
Json extra_json(const TargetReport& target, const Finding& finding, const SourceLine& source, SourceLines& sources) {
  Json json = Json::object();
  json["rule"] = model::rule(finding);
  json["headline"] = finding.diagnosis ? model::headline(finding.diagnosis->fault) : model::text(finding.kind);
  if (const std::string verdict = verdict_text(finding.kind, finding.verdict); !verdict.empty())
    json["verdict"] = verdict;
  json["oracle"] = oracle_text(finding.oracle);
  if (finding.aftermath)
    json["reported"] = reported_text(*finding.aftermath);
  Json& spans = json["source"] = Json::array();
  const std::vector<Span> shown = source_spans(target, finding, source);
  for (const Span& span : shown)
    spans.push_back(Json::array({span.file, span.first, span.last}));
  add_lines(sources, shown, source);
  if (!finding.plots.inputs.empty()) {
    json["plots"] = plots_json(finding.plots);
    json["plotted"] = finding.plots.output;
  }
  if (!finding.plots.note.empty())
    json["plots_note"] = finding.plots.note;
  return json;
}

// Formats a list element by element. A whole library as JSON values would take ten times the memory of its text.
template <class Elements, class Write> std::string list_text(const Elements& elements, Write write) {
  std::string text = "[";
  for (const auto& element : elements)
    text += (text.size() == 1 ? "" : ",") + model::json_text(write(element));
  return text + "]";
}

// Returns an object with further members at its end, which are already text.
std::string with_members(const Json& head, const std::vector<std::pair<std::string, std::string>>& members) {
  std::string text = model::json_text(head);
  text.pop_back();
  for (const auto& [key, value] : members)
    text += (text.size() == 1 ? "\"" : ",\"") + key + "\":" + value;
  return text + "}";
}

std::string data_of(const RankedReport& ranked, const SourceLine& source) {
  const Report& report = ranked.report;
  SourceLines sources;
  const std::string extras = list_text(report.targets, [&](const TargetReport& target) {
    Json list = Json::array();
    for (const Finding& finding : target.findings)
      list.push_back(extra_json(target, finding, source, sources));
    return list;
  });
  Json problems = Json::object();
  for (const Problem& problem : ranked.problems) {
    problems[problem.id] = problem_extra(problem, source);
    add_lines(sources, problem_spans(problem, source), source);
  }
  Json rest{{"problems", problems}, {"sources", lines_json(sources)}, {"can_plot", can_plot()}};
  if (!report.without_plots.empty())
    rest["without_plots"] = report.without_plots;
  if (report.campaign)
    rest["campaign"] = campaign_data(*report.campaign);
  std::string report_text;
  write_report(
      ranked, [&](std::string_view part) { report_text += part; }, -1);
  return with_members(rest, {{"report", report_text}, {"extras", extras}});
}

} // namespace

std::string bound_page(const BoundReport& report) {
  Json data{{"bound", bound_json_of(report)},
            {"words", sides_words(report)},
            {"curve", model::to_json(report.bounds)["curve"]},
            {"closing", closing_words(report)}};
  if (report.threshold) {
    data["threshold"] = *report.threshold;
    data["measure"] = model::text(report.measure);
    data["summary"] = map_summary(report);
  }
  return page_of("bound.html", bound_styles, bound_scripts, model::json_text(data));
}

std::string web_file(const std::string& name) {
  const auto found = web_files().find(name);
  return found == web_files().end() ? "" : found->second;
}

std::string page_of(const std::string& name, std::span<const char* const> styles, std::span<const char* const> scripts,
                    const std::string& data) {
  return filled(web_file(name), {{"/*uplot-style*/", web_file("uPlot.min.css")},
                                 {"/*style*/", joined(styles)},
                                 {"/*dark-style*/", web_file("dark.css")},
                                 {"/*data*/", script_data(data)},
                                 {"/*uplot*/", web_file("uPlot.iife.min.js")},
                                 {"/*script*/", "(() => {\n\"use strict\";\n" + joined(scripts) + "})();\n"}});
}

int function_end(const SourceLine& source, const std::string& file, int first, int most) {
  int depth = 0;
  bool begun = false;
  const bool is_list = file.ends_with(".fpcore");
  const char opening = is_list ? '(' : '{', closing = is_list ? ')' : '}';
  for (int line = first; line < first + most; ++line) {
    const std::optional<std::string> text = source(file, line);
    if (!text)
      return 0;
    for (const char c : *text) {
      begun = begun || c == opening;
      depth += c == opening ? 1 : c == closing ? -1 : 0;
    }
    if (begun ? depth <= 0 : ends_fortran(*text))
      return line;
  }
  return 0;
}

std::vector<Span> source_spans(const TargetReport& target, const Finding& finding, const SourceLine& source) {
  Lines lines(source);
  const std::string& file = finding.cause ? finding.cause->file : target.file;
  const int centre = finding.cause ? finding.cause->line : target.line;
  const int end = target.line > 0 ? function_end(source, target.file, target.line, largest_function) : 0;
  if (file == target.file && target.line <= centre && centre <= end)
    lines.add(file, target.line, end);
  else
    lines.add(file, centre - around_cause, centre + around_cause);
  if (finding.diagnosis) {
    for (const ChainLink& step : finding.diagnosis->chain)
      lines.add_place(step.file, step.line);
    for (const LineShare& share : finding.diagnosis->lines)
      lines.add_place(share.file, share.line);
  }
  return lines.spans();
}

bool can_plot() { return web_files().contains("uPlot.iife.min.js"); }

std::string script_data(std::string json) {
  std::string text;
  text.reserve(json.size());
  for (const char c : json)
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

std::string html_text(const RankedReport& ranked, const SourceLine& source) {
  const std::string data = ranked.report.campaign ? data_of(as_shown(ranked.report), source) : data_of(ranked, source);
  return page_of("report.html", styles, scripts, data);
}

std::string html_text(const RankedReport& ranked) { return html_text(ranked, source_files(ranked.report.folders)); }

} // namespace faultline::report
