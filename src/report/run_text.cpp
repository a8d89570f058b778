#include "report/run_text.h"

#include "model/json/json_place.h"
#include "model/report.h"
#include "numeric/stable_sort.h"
#include "report/run_problems.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>
#include <set>
#include <vector>

namespace faultline::report {

namespace {

using model::RunOutput;
using model::RunPlace;
using model::RunReport;
using model::RunSite;

constexpr size_t most_problems = 5, most_sites = 8; // a screen

std::string where(const RunPlace& place) { return place_words(place); }

std::string tier_words(RunTier tier, const Style& style) {
  const std::string word(report::text(tier));
  return tier == RunTier::error ? style.bad(word) : tier == RunTier::warning ? style.warn(word) : style.faint(word);
}

std::string excerpt_of(const SourceLine& source, const RunPlace& place, const Style& style) {
  return place.line == 0 ? "" : excerpt(source, place.file, place.line, place.column, style);
}

std::string printed_words(const RunReport& report) {
  if (report.printed == 0)
    return "no number was printed by instrumented code\n";
  const auto few = std::ranges::count_if(report.outputs, [](const RunOutput& o) { return o.digits < few_digits; });
  const auto unknown = std::ranges::count_if(report.outputs, [](const RunOutput& o) { return std::isnan(o.digits); });
  std::string text = fmt::format("of {} printed, {} {} fewer than {} right digits", counted(report.printed, "number"),
                                 few, few == 1 ? "has" : "have", few_digits);
  if (unknown > 0)
    text += fmt::format("; of {} the digits are unknown (NaN, infinity)", unknown);
  const auto first = std::ranges::find_if(report.outputs, [](const RunOutput& o) { return o.digits < few_digits; });
  if (first != report.outputs.end())
    text +=
        fmt::format("; the first: {}{}{}", first->line ? fmt::format("line {} of standard output, ", first->line) : "",
                    fmt::format("{:.5g}", first->value),
                    first->cause.line ? fmt::format(", digits lost at {}", where(first->cause)) : "");
  if (report.outputs.size() < report.printed)
    text += fmt::format("; only the first {} were kept", report.outputs.size());
  return text + "\n";
}

std::string sites_table(const RunReport& report, const Style& style) {
  std::vector<Row> rows;
  for (const RunSite& site : report.sites)
    if (site.losses > 0 && rows.size() < most_sites)
      rows.push_back({where(site.place), site.operation, site.place.function, count_text(double(site.executions)),
                      fmt::format("{:.1f}", site.loss), count_text(double(site.losses))});
  if (rows.empty())
    return "";
  return table({{"place", Align::left},
                {"operation", Align::left},
                {"function", Align::left, 24},
                {"executions", Align::right},
                {"digits lost", Align::right},
                {"times", Align::right}},
               rows, style);
}

// "rho (cg.c:50): 61 assignments, right digits 15.9 at first, 11.2 at last, 10.9 at worst (60)".
std::string watched_words(const RunReport& report) {
  std::string text;
  for (const model::RunWatch& watch : report.watched) {
    if (watch.events == 0) {
      text += fmt::format("watched {}: {}\n", printable(watch.name),
                          watch.places.empty() ? "no variable of floats has this name, or it was optimised away"
                                               : "it was never assigned, or its memory is not known");
      continue;
    }
    const auto digits = [](const model::RunSample& sample) {
      return std::isnan(sample.digits) ? "unknown" : fmt::format("{:.1f}", sample.digits);
    };
    text += fmt::format("watched {}{}: {}{}, right digits {} at first, {} at last, {} at worst (number {})\n",
                        printable(watch.name),
                        watch.places.empty() ? "" : printable(fmt::format(" ({})", where(watch.places.front()))),
                        watch.elements > 1 ? fmt::format("array of {}, ", watch.elements) : "",
                        counted(watch.events, watch.elements > 1 ? "sweep" : "assignment"),
                        watch.samples.empty() ? "unknown" : digits(watch.samples.front()), digits(watch.last),
                        digits(watch.worst), watch.worst.event + 1);
  }
  return text;
}

std::vector<std::string> limits_of(const RunReport& report) {
  std::vector<std::string> limits;
  if (report.captured.find("missing") != std::string::npos)
    limits.push_back(report.captured);
  if (report.instrumented >= 0 && report.instrumented < 0.995)
    limits.push_back(fmt::format("{:.0f} % of the program's code", 100 * (1 - report.instrumented)));
  if (report.not_followed > 0)
    limits.push_back(fmt::format("{:.2g} % of the executed operations, in long double or another format",
                                 100 * double(report.not_followed) / double(report.followed + report.not_followed)));
  for (const std::string& library : report.libraries) {
    uint64_t calls = 0;
    std::vector<std::string> names;
    for (const model::RunCalls& one : report.calls)
      if (one.library == library) {
        calls += one.times;
        names.push_back(one.function);
      }
    constexpr size_t most_names = 3;
    const std::string more = names.size() > most_names ? ", ..." : "";
    names.resize(std::min(names.size(), most_names));
    limits.push_back(calls == 0
                         ? library
                         : fmt::format("{} ({}: {}{})", library, counted(calls, "call"), fmt::join(names, ", "), more));
  }
  return limits;
}

std::string ending_words(const RunReport& report) {
  if (report.signal != 0)
    return fmt::format("the program was ended by signal {}: the report shows the run until then\n", report.signal);
  return report.status == 0 ? "" : fmt::format("the program ended with exit status {}\n", report.status);
}

} // namespace

std::string run_text(const RunReport& report, const SourceLine& source, const Style& style) {
  std::string text = report.rank ? fmt::format("rank {}:\n", *report.rank) : "";
  const std::vector<RunProblem> problems = problems_of(report, source);
  for (size_t i = 0; i < std::min(problems.size(), most_problems); ++i) {
    const RunProblem& problem = problems[i];
    text +=
        fmt::format("{}: {}: {} [{}]{}\n{}",
                    style.bold(printable(location_text(problem.place.file, problem.place.line, problem.place.column))),
                    tier_words(problem.tier, style), printable(problem.title), report::text(problem.kind),
                    problem.confirmed ? "" : " (not confirmed)", excerpt_of(source, problem.place, style));
    for (const std::string& fact : problem.seen)
      text += fmt::format("  {} {}\n", style.faint(&fact == &problem.seen.front() ? "seen" : "    "), printable(fact));
    text += "\n";
  }
  if (problems.size() > most_problems)
    text += fmt::format("{} more: -o FILE.json has all\n\n", counted(problems.size() - most_problems, "problem"));
  text += sites_table(report, style);
  text += printed_words(report);
  text += watched_words(report);
  if (const std::vector<std::string> limits = limits_of(report); !limits.empty())
    text += printable(fmt::format("not instrumented: {}", fmt::join(limits, "; "))) + "\n";
  if (report.processes == 0)
    text += "the program did not begin\n";
  else if (report.processes > 1)
    text += fmt::format("the figures are those of {} processes together\n", report.processes);
  if (report.repeat.repeated)
    text += fmt::format("confirmed by {} with the same input\n", counted(uint64_t(report.repeat.runs), "further run"));
  else if (!report.repeat.reason.empty())
    text += fmt::format("not confirmed: {}\n", printable(report.repeat.reason));
  return text + ending_words(report);
}

namespace {

using model::Json;

Json number_or_null(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json place_json(const RunPlace& place) {
  return {{"file", place.file}, {"line", place.line}, {"column", place.column}, {"function", place.function}};
}

Json problem_json(const RunProblem& problem, const SourceLine& source) {
  Json json = place_json(problem.place);
  json.erase("function");
  json["functions"] = Json::array({problem.place.function});
  json["id"] =
      fmt::format("{}:{}:{}:{}", text(problem.kind), problem.place.file, problem.place.line, problem.place.column);
  json["tier"] = text(problem.tier);
  json["class"] = text(problem.kind);
  json["source"] = problem.place.line == 0 ? "" : source(problem.place.file, problem.place.line).value_or("");
  json["title"] = problem.title;
  json["seen"] = fmt::format("{}", fmt::join(problem.seen, "; "));
  json["confirmed"] = problem.confirmed;
  return json;
}

Json sample_json(const model::RunSample& sample) {
  return Json::array({sample.event + 1, number_or_null(sample.value), number_or_null(sample.digits)});
}

Json watch_json(const model::RunWatch& watch) {
  Json places = Json::array(), samples = Json::array();
  for (const RunPlace& place : watch.places)
    places.push_back(place_json(place));
  for (const model::RunSample& sample : watch.samples)
    samples.push_back(sample_json(sample));
  return {{"name", watch.name},
          {"places", places},
          {"assignments", watch.events},
          {"elements", watch.elements},
          {"samples", samples},
          {"last", sample_json(watch.last)},
          {"worst", sample_json(watch.worst)}};
}

} // namespace

model::Json run_json_of(const RunReport& report, const SourceLine& source) {
  Json outputs = Json::array(), flips = Json::array(), sites = Json::array(), problems = Json::array();
  for (const RunOutput& output : report.outputs)
    outputs.push_back({{"line", output.line},
                       {"text", fmt::format("{}", output.value)},
                       {"digits", number_or_null(output.digits)},
                       {"printed", place_json(output.place)},
                       {"cause", output.cause.line == 0 ? Json(nullptr) : place_json(output.cause)}});
  for (const RunSite& site : report.sites) {
    Json json = place_json(site.place);
    json["operation"] = site.operation;
    json["executions"] = site.executions;
    json["loss"] = site.loss;
    json["losses"] = site.losses;
    json["flips"] = site.flips;
    json["unknown"] = site.unknown;
    json["nans"] = site.nans;
    json["infinities"] = site.infinities;
    json["nan_ends"] = site.nan_ends;
    sites.push_back(json);
    if (site.flips > 0)
      flips.push_back({{"file", site.place.file},
                       {"line", site.place.line},
                       {"column", site.place.column},
                       {"count", site.flips},
                       {"executions", site.executions},
                       {"mattered", site.mattered ? Json(*site.mattered) : Json(nullptr)}});
  }
  Json watched = Json::array();
  for (const model::RunWatch& watch : report.watched)
    watched.push_back(watch_json(watch));
  for (const RunProblem& problem : problems_of(report, source))
    problems.push_back(problem_json(problem, source));
  Json calls = Json::array();
  for (const model::RunCalls& one : report.calls)
    calls.push_back({{"function", one.function}, {"library", one.library}, {"times", one.times}});
  Json run = {{"command", report.command},
              {"instrumented", report.instrumented < 0 ? Json(nullptr) : Json(report.instrumented)},
              {"overhead", nullptr}, // the original program is not run
              {"seconds", report.seconds},
              {"status", report.status},
              {"signal", report.signal},
              {"processes", report.processes},
              {"repeated", report.repeat.repeated},
              {"unconfirmed", report.repeat.reason},
              {"runs", 1 + report.repeat.runs},
              {"printed", report.printed},
              {"not_instrumented", limits_of(report)},
              {"operations", report.followed},
              {"operations_not_followed", report.not_followed},
              {"calls", calls},
              {"foreign", report.foreign}};
  if (report.rank)
    run["rank"] = *report.rank;
  return {{"faultline", model::version}, {"run", run},     {"outputs", outputs}, {"flips", flips},
          {"problems", problems},        {"sites", sites}, {"watched", watched}};
}

std::string run_json(const RunReport& report, const SourceLine& source) {
  return run_json_of(report, source).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace faultline::report
