#include "report/html.h"

#include "finding/json/finding_json.h"
#include "finding/json/report_file.h"
#include "finding/problem.h"
#include "report/html/campaign_data.h"
#include "report/html/page.h"
#include "report/html/plot_columns.h"
#include "report/html/problem_words.h"
#include "report/source_spans.h"
#include "report/wording.h"

#include <map>

namespace faultline::report {

namespace {

using Json = finding::Json;

// The scripts, in the order in which they build on each other.
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

// What the page shows of a finding beside the finding.
Json extra_json(const finding::TargetReport& target, const finding::Finding& finding, const SourceLine& source,
                SourceLines& sources) {
  Json json = Json::object();
  json["rule"] = finding::rule(finding);
  json["headline"] = finding.diagnosis ? finding::headline(finding.diagnosis->fault) : finding::text(finding.kind);
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

// A list as text. Element by element: the whole of a library as values would take ten times the memory of its text.
template <class Elements, class Write>
std::string list_text(const Elements& elements, Write write) {
  std::string text = "[";
  for (const auto& element : elements)
    text += (text.size() == 1 ? "" : ",") + finding::json_text(write(element));
  return text + "]";
}

// An object with more members at its end, which are text already.
std::string with_members(const Json& head, const std::vector<std::pair<std::string, std::string>>& members) {
  std::string text = finding::json_text(head);
  text.pop_back();
  for (const auto& [key, value] : members)
    text += (text.size() == 1 ? "\"" : ",\"") + key + "\":" + value;
  return text + "}";
}

std::string data_of(const finding::RankedReport& ranked, const SourceLine& source) {
  const finding::Report& report = ranked.report;
  SourceLines sources;
  const std::string extras = list_text(report.targets, [&](const finding::TargetReport& target) {
    Json list = Json::array();
    for (const finding::Finding& finding : target.findings)
      list.push_back(extra_json(target, finding, source, sources));
    return list;
  });
  Json problems = Json::object();
  for (const finding::Problem& problem : ranked.problems) {
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

std::string html_text(const finding::RankedReport& ranked, const SourceLine& source) {
  const std::string data = ranked.report.campaign ? data_of(as_shown(ranked.report), source) : data_of(ranked, source);
  return page_of("report.html", styles, scripts, data);
}

std::string html_text(const finding::RankedReport& ranked) { return html_text(ranked, source_files()); }

} // namespace faultline::report
