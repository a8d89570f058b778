#include "report/bound_text.h"

#include "finding/bound/bounds_json.h"
#include "finding/json/finding_json.h"
#include "report/bound_words.h"
#include "report/map_text.h"
#include "report/table.h"

#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using finding::BoundedOutput;
using finding::BoundReport;
using finding::BoxEnds;
using finding::ErrorMeasure;
using finding::Json;

namespace {

std::string ratio_text(double ratio) {
  return ratio < 1000 ? fmt::format("{:.2f}", ratio) : fmt::format("{:.0e}", ratio);
}

std::string input_text(const BoundReport& report, const std::vector<long double>& input) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < input.size() && i < report.inputs.size(); ++i)
    parts.push_back(fmt::format("{}={}", report.inputs[i].name, plain_number(double(input[i]))));
  return fmt::format("{}", fmt::join(parts, " "));
}

std::vector<std::string> names_of(const BoundReport& report) {
  std::vector<std::string> names;
  for (const finding::InputRange& input : report.inputs)
    names.push_back(input.name);
  return names;
}

std::string box_text(const BoundReport& report, const BoxEnds& box) { return box_words(names_of(report), box); }

BoxEnds whole_range(const BoundReport& report) {
  BoxEnds box;
  for (const finding::InputRange& input : report.inputs)
    box.emplace_back(std::strtod(input.low.c_str(), nullptr), std::strtod(input.high.c_str(), nullptr));
  return box;
}

// Rounded away from what they bound. What was found may lie where nothing is proved: there is no ratio then.
struct SidesWords {
  std::string found, proven, ratio;
};
SidesWords words_of(const finding::BothSides& sides, bool complete) {
  const bool both = complete && sides.found > 0 && sides.proven < finding::useless_bound;
  return {sides.input.empty() ? "none" : three_digits(sides.found, false), three_digits(sides.proven, true),
          both ? ratio_text(sides.proven / sides.found) : ""};
}

std::vector<Row> rows_of(const BoundReport& report) {
  std::vector<Row> rows;
  for (const BoundedOutput& output : report.bounds.outputs)
    for (const ErrorMeasure measure : finding::all_measures) {
      const finding::BothSides& sides = output.of(measure);
      const SidesWords words = words_of(sides, report.bounds.complete());
      rows.push_back({measure == ErrorMeasure::absolute ? output.name : "", std::string(finding::text(measure)),
                      words.found, words.proven, words.ratio, input_text(report, sides.input)});
    }
  return rows;
}

constexpr size_t most_lines = 5; // of boxes, in each list: the report is one screen

bool proves_something(const BoundReport& report) {
  for (const BoundedOutput& output : report.bounds.outputs)
    for (const finding::BothSides& sides : output.sides)
      if (sides.proven < finding::useless_bound)
        return true;
  return false;
}

std::string unproven_text(const BoundReport& report, const Style& style) {
  if (report.bounds.complete())
    return "";
  std::string text =
      style.warn(fmt::format("not proved: {} box{}", report.bounds.unproven, report.bounds.unproven == 1 ? "" : "es")) +
      (report.bounds.unproven > 1 ? " within " + box_text(report, report.bounds.unproven_hull) : "") +
      (proves_something(report) ? "; what is proven holds outside of them\n"
                                : ", and no bound of use holds for all the others\n");
  for (size_t i = 0; i < report.bounds.unproven_samples.size() && i < most_lines; ++i) {
    const finding::UnprovenBox& box = report.bounds.unproven_samples[i];
    text += fmt::format("  {}\n    {}\n", box_text(report, box.box), box.reason);
  }
  return text + "\n";
}

Json sides_json(const BoundReport& report, const finding::BothSides& sides) {
  const bool says_something = sides.proven < finding::useless_bound;
  const bool proved = report.bounds.complete() && says_something;
  Json input = Json::object();
  for (size_t i = 0; i < sides.input.size() && i < report.inputs.size(); ++i)
    input[report.inputs[i].name] = {{"decimal", plain_number(double(sides.input[i]))},
                                    {"hex", fmt::format("{:a}", double(sides.input[i]))}};
  Json json{{"proven", proved ? Json(sides.proven) : Json(nullptr)}, {"found", sides.found}, {"input", input}};
  if (!proved && says_something)
    json["proven_elsewhere"] = sides.proven; // outside of the open boxes
  return json;
}

Json around_json(const finding::SafeAround& around, const std::vector<std::string>& names) {
  Json point = Json::object();
  for (size_t i = 0; i < around.point.size() && i < names.size(); ++i)
    if (!std::isnan(around.point[i])) // it has all of its range
      point[names[i]] = around.point[i];
  return {{"point", point},
          {"box", around.box.empty() ? Json(nullptr) : finding::to_json(around.box, names)},
          {"bound", around.box.empty() ? Json(nullptr) : Json(around.bound)}};
}

} // namespace

std::string closing_words(const BoundReport& report) {
  const finding::Bounds& bounds = report.bounds;
  return fmt::format("{} boxes on {} path{}, {} evaluations, {:.2f} s.", bounds.boxes, bounds.paths,
                     bounds.paths == 1 ? "" : "s", bounds.evaluations, bounds.seconds);
}

Json sides_words(const BoundReport& report) {
  Json all = Json::array();
  for (const BoundedOutput& output : report.bounds.outputs) {
    Json words = Json::array();
    for (const ErrorMeasure measure : finding::all_measures) {
      const SidesWords of = words_of(output.of(measure), report.bounds.complete());
      words.push_back(Json::array({of.found, of.proven, of.ratio}));
    }
    all.push_back(std::move(words));
  }
  return all;
}

std::string bound_text(const BoundReport& report, const Style& style) {
  std::string text = fmt::format("{} ({}:{}), {}\n\n", style.bold(report.target.function),
                                 std::filesystem::path(report.target.file).filename().string(), report.target.line,
                                 box_text(report, whole_range(report)));
  text += table({{"output"},
                 {"error"},
                 {"found", Align::right},
                 {report.bounds.complete() ? "proven" : "proven elsewhere", Align::right},
                 {"ratio", Align::right},
                 {"found at", Align::left, 100}},
                rows_of(report), style) +
          "\n" + unproven_text(report, style) + map_text(report, style) + around_text(report);
  return text + closing_words(report) + (report.note.empty() ? "" : "\n" + report.note + ".") + "\n";
}

Json bound_json_of(const BoundReport& report) {
  Json outputs = Json::array(), open = Json::array(), inputs = Json::array();
  for (const finding::UnprovenBox& box : report.bounds.unproven_samples)
    open.push_back({{"box", finding::to_json(box.box, names_of(report))}, {"reason", box.reason}});
  for (const BoundedOutput& output : report.bounds.outputs) {
    Json json{{"name", output.name}};
    for (const ErrorMeasure measure : finding::all_measures)
      json[std::string(finding::text(measure))] = sides_json(report, output.of(measure));
    json["complete"] = report.bounds.complete();
    json["open"] = open;
    outputs.push_back(std::move(json));
  }
  for (const finding::InputRange& input : report.inputs)
    inputs.push_back({{"name", input.name}, {"format", input.format}, {"low", input.low}, {"high", input.high}});
  Json target{{"function", report.target.function},
              {"file", report.target.file},
              {"line", report.target.line},
              {"inputs", inputs},
              {"outputs", outputs},
              {"unproven", report.bounds.unproven}};
  if (!report.bounds.complete())
    target["unproven_within"] = finding::to_json(report.bounds.unproven_hull, names_of(report));
  if (report.threshold)
    target["map"] = finding::to_json(report.bounds.map, names_of(report));
  if (const std::optional<finding::SafeAround>& around = report.bounds.around)
    target["around"] = around_json(*around, names_of(report));
  target["boxes"] = report.bounds.boxes;
  target["paths"] = report.bounds.paths;
  target["evaluations"] = report.bounds.evaluations;
  target["seconds"] = report.bounds.seconds;
  target["proving_seconds"] = report.bounds.proving_seconds;
  return {{"faultline", report.version},       {"schema", 1},
          {"command", report.command},         {"seed", report.seed},
          {"interrupted", report.interrupted}, {"targets", Json::array({target})}};
}

std::string bound_json(const BoundReport& report) { return finding::json_text(bound_json_of(report), 2) + "\n"; }

} // namespace faultline::report
