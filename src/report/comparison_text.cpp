#include "report/comparison_text.h"

#include "model/csv_lines.h"
#include "model/json/json_place.h"
#include "model/report.h"

#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

namespace {

using model::Json;
using model::RunComparison;
using model::RunDifference;
using model::RunPlace;
using model::RunVerdict;

constexpr size_t most_changed = 5; // lines that are named

std::string at(const RunPlace& place) {
  return place.line == 0 ? "an unknown place" : fmt::format("{}:{}", place.file, place.line);
}

// The place that users look at: that of the first run, unless only the second one has it.
const RunPlace& place_of(const RunDifference& difference) {
  return difference.place[0].line != 0 && (difference.execution[0] != 0 || difference.place[1].line == 0)
             ? difference.place[0]
             : difference.place[1];
}

std::string verdict_words(const RunComparison& comparison) {
  switch (comparison.verdict) {
  case RunVerdict::same:
    return "the same: all printed numbers are equal";
  case RunVerdict::rounding:
  case RunVerdict::turned: {
    const std::string why =
        comparison.reason.empty() ? "" : fmt::format(" ({} at {})", comparison.reason, at(comparison.reason_place));
    return comparison.verdict == RunVerdict::rounding
               ? "explained by rounding" + why
               : fmt::format("explained by rounding{}, which turns a decision: from here the runs take different ways",
                             why);
  }
  case RunVerdict::different:
    return "not explained by rounding: a different program";
  case RunVerdict::unknown:
    break;
  }
  return "unknown: rounding has left too few digits to tell";
}

std::string value_words(const RunDifference& difference, unsigned run) {
  if (difference.execution[run] == 0)
    return "is not executed";
  return fmt::format("{:.17g}, error {}", difference.value[run],
                     difference.residue[run] == 0 ? "0" : measure_text(std::fabs(difference.residue[run])));
}

std::string ordinal_words(const RunDifference& difference) {
  const uint64_t execution = std::max(difference.execution[0], difference.execution[1]);
  const std::string what = difference.is_output               ? "printed number"
                           : difference.is_decision           ? "decision: the difference of the operands"
                           : !difference.operation[0].empty() ? difference.operation[0]
                                                              : difference.operation[1];
  return fmt::format("{} number {} here", what, execution);
}

std::string excerpt_at(const SourceLine& source, const RunPlace& place, const Style& style) {
  return place.line == 0 ? "" : excerpt(source, place.file, place.line, place.column, style);
}

std::string difference_text(const RunDifference& difference, const Style& style) {
  std::string text = fmt::format("  {} {}\n", style.faint(difference.is_output ? "output" : "seen  "),
                                 difference.is_output ? fmt::format("printed number {}", difference.execution[0])
                                                      : ordinal_words(difference));
  for (unsigned run = 0; run < 2; ++run)
    text += fmt::format("  {} {}{}\n", style.faint(run == 0 ? "first " : "second"), value_words(difference, run),
                        difference.operation[0] != difference.operation[1] && !difference.operation[run].empty()
                            ? fmt::format(" ({})", difference.operation[run])
                            : "");
  for (unsigned run = 0; run < 2; ++run)
    if (const RunPlace& cause = difference.cause[run]; cause.line != 0 && cause.line != difference.place[run].line) {
      text += fmt::format("  {} {} contributed most to the error of the {} run\n", style.faint("from  "), at(cause),
                          run == 0 ? "first" : "second");
      break;
    }
  return text;
}

std::string outputs_words(const RunComparison& comparison) {
  if (comparison.printed[0] + comparison.printed[1] == 0)
    return "no number was printed by instrumented code\n";
  std::string text;
  if (comparison.printed[0] != comparison.printed[1])
    text = fmt::format("the first run printed {}, the second one {}; ", base::counted(comparison.printed[0], "number"),
                       comparison.printed[1]);
  const uint64_t rounding = comparison.differing - comparison.unexplained - comparison.unknown;
  text += fmt::format("of {} printed, {} by rounding and {} by more",
                      base::counted(std::min(comparison.printed[0], comparison.printed[1]), "number"),
                      rounding == 1 ? "1 differs" : fmt::format("{} differ", rounding), comparison.unexplained);
  if (comparison.unknown > 0)
    text += fmt::format("; of {} the exact results are unknown", comparison.unknown);
  return text + "\n";
}

std::string ends_words(const RunComparison& comparison) {
  std::string text;
  const auto words = [&](unsigned run) {
    return comparison.signal[run] != 0 ? fmt::format("was ended by signal {}", comparison.signal[run])
                                       : fmt::format("ended with exit status {}", comparison.status[run]);
  };
  if (comparison.status[0] != comparison.status[1] || comparison.signal[0] != comparison.signal[1])
    text = fmt::format("the first program {}, the second one {}\n", words(0), words(1));
  return text;
}

} // namespace

std::string comparison_text(const RunComparison& comparison, const SourceLine& source, const Style& style) {
  std::string text;
  const bool is_bad = comparison.verdict == RunVerdict::different || comparison.verdict == RunVerdict::unknown;
  const std::string tier = is_bad ? style.warn("warning") : style.faint("note");
  if (comparison.first) {
    const RunPlace& place = place_of(*comparison.first);
    text += fmt::format(
        "{}: {}: {}\n{}{}",
        style.bold(printable(place.line == 0 ? "printed number" : location_text(place.file, place.line, place.column))),
        tier, verdict_words(comparison), excerpt_at(source, place, style), difference_text(*comparison.first, style));
  } else {
    text += fmt::format("{}: {}\n", tier, verdict_words(comparison));
  }
  if (comparison.before)
    text +=
        fmt::format("  {} {} {}{}\n", style.faint("before"),
                    comparison.verdict == RunVerdict::same ? "but rounding differs at" : "rounding alone differs at",
                    at(place_of(*comparison.before)), comparison.verdict == RunVerdict::same ? ", to no effect" : "");
  if (comparison.hidden) {
    text += fmt::format("  {} {} differs by more than rounding, with no more effect on printed numbers than this:\n",
                        style.faint("also  "), at(place_of(*comparison.hidden)));
    text += difference_text(*comparison.hidden, style);
  }
  if (!comparison.changed.empty()) {
    std::vector<std::string> lines;
    for (size_t i = 0; i < std::min(comparison.changed.size(), most_changed); ++i)
      lines.push_back(at(comparison.changed[i]));
    text += fmt::format("  {} the sources differ at {}{}\n", style.faint("source"), fmt::join(lines, ", "),
                        comparison.changed.size() > most_changed
                            ? fmt::format(" and {} more lines", comparison.changed.size() - most_changed)
                            : "");
  }
  if (comparison.output && comparison.first && !comparison.first->is_output)
    text += difference_text(*comparison.output, style);
  text += "\n" + outputs_words(comparison);
  text += fmt::format("{} compared, at {} of the source; {} of them could not be aligned to the end\n",
                      base::counted(comparison.values, "value"), base::counted(comparison.places, "place"),
                      comparison.unmatched);
  return text + ends_words(comparison);
}

namespace {

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(fmt::format("{}", value)); }

Json as_json(const RunPlace& place) {
  if (place.line == 0)
    return nullptr;
  return {{"file", place.file}, {"line", place.line}, {"column", place.column}, {"function", place.function}};
}

Json as_json(const std::optional<RunDifference>& difference, const SourceLine& source) {
  if (!difference)
    return nullptr;
  Json json = as_json(place_of(*difference));
  if (json.is_null())
    json = {{"file", ""}, {"line", 0}, {"column", 0}, {"function", ""}};
  json["source"] = json["line"] == 0 ? "" : source(place_of(*difference).file, place_of(*difference).line).value_or("");
  json["sort"] = difference->is_output ? "output" : difference->is_decision ? "decision" : "value";
  json["runs"] = Json::array();
  for (unsigned run = 0; run < 2; ++run)
    json["runs"].push_back(difference->execution[run] == 0 ? Json(nullptr)
                                                           : Json{{"operation", difference->operation[run]},
                                                                  {"execution", difference->execution[run]},
                                                                  {"value", finite(difference->value[run])},
                                                                  {"residue", finite(difference->residue[run])},
                                                                  {"place", as_json(difference->place[run])},
                                                                  {"cause", as_json(difference->cause[run])}});
  return json;
}

const char* verdict_name(RunVerdict verdict) {
  switch (verdict) {
  case RunVerdict::same:
    return "same";
  case RunVerdict::rounding:
    return "rounding";
  case RunVerdict::turned:
    return "turned";
  case RunVerdict::different:
    return "different";
  case RunVerdict::unknown:
    break;
  }
  return "unknown";
}

} // namespace

std::string comparison_json(const RunComparison& comparison, const SourceLine& source) {
  Json changed = Json::array();
  for (const RunPlace& place : comparison.changed)
    changed.push_back(as_json(place));
  const Json runs = Json::array({{{"command", comparison.command[0]},
                                  {"status", comparison.status[0]},
                                  {"signal", comparison.signal[0]},
                                  {"printed", comparison.printed[0]}},
                                 {{"command", comparison.command[1]},
                                  {"status", comparison.status[1]},
                                  {"signal", comparison.signal[1]},
                                  {"printed", comparison.printed[1]}}});
  const Json reason = comparison.reason.empty()
                          ? Json(nullptr)
                          : Json{{"text", comparison.reason}, {"place", as_json(comparison.reason_place)}};
  const Json all = {
      {"faultline", model::version},
      {"runs", runs},
      {"verdict", verdict_name(comparison.verdict)},
      {"explained", comparison.verdict == RunVerdict::rounding || comparison.verdict == RunVerdict::turned ||
                        comparison.verdict == RunVerdict::same},
      {"text", verdict_words(comparison)},
      {"reason", reason},
      {"first", as_json(comparison.first, source)},
      {"before", as_json(comparison.before, source)},
      {"output", as_json(comparison.output, source)},
      {"hidden", as_json(comparison.hidden, source)},
      {"changed", changed},
      {"outputs",
       {{"differing", comparison.differing}, {"unexplained", comparison.unexplained}, {"unknown", comparison.unknown}}},
      {"values", comparison.values},
      {"places", comparison.places},
      {"unmatched", comparison.unmatched}};
  return all.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace faultline::report
