#include "report/bound_text.h"

#include "model/json/finding_json.h"
#include "model/safety_map.h"
#include "report/text.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace faultline::report {

using namespace model;

namespace {

constexpr size_t most_boxes = 5; // boxes per list: the report fits on one screen

std::vector<std::string> names_of(const std::vector<InputRange>& inputs) {
  std::vector<std::string> names;
  for (const InputRange& input : inputs)
    names.push_back(input.name);
  return names;
}

BoxEnds whole_range(const std::vector<InputRange>& inputs) {
  BoxEnds box;
  for (const InputRange& input : inputs)
    box.emplace_back(std::strtod(input.low.c_str(), nullptr), std::strtod(input.high.c_str(), nullptr));
  return box;
}

std::vector<size_t> free_inputs(const BoundReport& report) {
  std::vector<size_t> free;
  for (size_t i = 0; i < report.inputs.size(); ++i)
    if (report.inputs[i].low != report.inputs[i].high)
      free.push_back(i);
  return free;
}

std::string point_words(const std::vector<std::string>& names, const std::vector<numeric::Value>& point) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < point.size() && i < names.size(); ++i)
    if (!std::isnan(point[i])) // NaN: the whole range of the input
      parts.push_back(fmt::format("{}={}", names[i], plain_number(double(point[i]))));
  return fmt::format("{}", fmt::join(parts, " "));
}

std::string boxes_text(const BoundReport& report, std::string_view what, const std::vector<MapBox>& boxes) {
  std::string text;
  const std::vector<std::string> names = names_of(report.inputs);
  for (size_t i = 0; i < boxes.size() && i < most_boxes; ++i) {
    text += fmt::format("  {:24}{}", i == 0 ? what : "", box_words(names, boxes[i].ends));
    if (!boxes[i].witness.empty())
      text += fmt::format(": {} at {}", model::found_words(boxes[i].error, report.measure),
                          point_words(names, boxes[i].witness));
    text += "\n";
  }
  if (boxes.size() > most_boxes)
    text += fmt::format("  {:24}and {} more (-o FILE.json has them)\n", "", boxes.size() - most_boxes);
  return text;
}

// Formats the share of a part that is not empty. Rounds up to 100 % only if it is everything.
std::string share_words(double share) {
  if (share <= 0 || share >= 1)
    return share <= 0 ? "0 %" : "100 %";
  return share < 0.001 ? "less than 0.1 %" : share > 0.999 ? "more than 99.9 %" : fmt::format("{:.1f} %", 100 * share);
}

// Inputs that have the values of another format than double name it: the bound holds for these values only.
std::vector<std::string> names_of(const Certificate& certificate) {
  std::vector<std::string> names;
  for (const CertifiedInput& input : certificate.inputs)
    names.push_back(printable(input.name) + (input.format == numeric::Format::binary64
                                                 ? ""
                                                 : fmt::format(" ({})", numeric::info(input.format).name)));
  return names;
}

BoxEnds whole_range(const Certificate& certificate) {
  BoxEnds box;
  for (const CertifiedInput& input : certificate.inputs)
    box.emplace_back(input.low, input.high);
  return box;
}

// Describes the exact inputs if they are not the floats.
std::string inputs_text(const Certificate& certificate) {
  std::vector<std::string> rounded, known;
  for (const CertifiedInput& input : certificate.inputs)
    if (input.rounded)
      rounded.push_back(printable(input.name));
    else if (input.error > 0)
      known.push_back(fmt::format("{} to within {}", printable(input.name), three_digits(input.error, false)));
  std::string text;
  if (!rounded.empty())
    text += fmt::format("  {}: reals that were rounded\n", fmt::join(rounded, ", "));
  if (!known.empty())
    text += fmt::format("  known: {}\n", fmt::join(known, ", "));
  return text;
}

std::string claims_text(const CertifiedOutput& output) {
  std::vector<std::string> claims;
  for (const ErrorMeasure measure : model::all_measures)
    if (const double claim = output.claims[size_t(measure)]; claim != model::no_claim)
      claims.push_back(measure == ErrorMeasure::ulps
                           ? fmt::format("{} ulps", three_digits(claim, true))
                           : fmt::format("{} {}", model::text(measure), three_digits(claim, true)));
  return claims.empty() ? fmt::format("  {}: no bound is claimed\n", printable(output.name))
                        : fmt::format("  {}: error at most {}\n", printable(output.name), fmt::join(claims, ", "));
}

std::string ratio_text(double ratio) {
  return ratio < 1000 ? fmt::format("{:.2f}", ratio) : fmt::format("{:.0e}", ratio);
}

std::string box_text(const BoundReport& report, const BoxEnds& box) { return box_words(names_of(report.inputs), box); }

// Numbers are rounded away from the value that they bound. If the found error is outside of the proved part, there is
// no ratio.
struct SidesWords {
  std::string found, proven, ratio;
};
SidesWords words_of(const BothSides& sides, bool complete) {
  const bool both = complete && sides.found > 0 && sides.proven < model::useless_bound;
  return {sides.input.empty() ? "none" : three_digits(sides.found, false), three_digits(sides.proven, true),
          both ? ratio_text(sides.proven / sides.found) : ""};
}

std::vector<Row> rows_of(const BoundReport& report) {
  std::vector<Row> rows;
  for (const BoundedOutput& output : report.bounds.outputs)
    for (const ErrorMeasure measure : model::all_measures) {
      const BothSides& sides = output.of(measure);
      const SidesWords words = words_of(sides, report.bounds.complete());
      rows.push_back({measure == ErrorMeasure::absolute ? output.name : "", std::string(model::text(measure)),
                      words.found, words.proven, words.ratio, point_words(names_of(report.inputs), sides.input)});
    }
  return rows;
}

bool proves_something(const BoundReport& report) {
  for (const BoundedOutput& output : report.bounds.outputs)
    for (const BothSides& sides : output.sides)
      if (sides.proven < model::useless_bound)
        return true;
  return false;
}

std::string unproven_text(const BoundReport& report, const Style& style) {
  if (report.bounds.complete())
    return "";
  std::string text = style.warn("not proved: " + counted(report.bounds.unproven, "box")) +
                     (report.bounds.unproven > 1 ? " within " + box_text(report, report.bounds.unproven_hull) : "") +
                     (proves_something(report) ? "; what is proven holds outside of them\n"
                                               : ", and no useful bound holds for all others\n");
  for (size_t i = 0; i < report.bounds.unproven_samples.size() && i < most_boxes; ++i) {
    const UnprovenBox& box = report.bounds.unproven_samples[i];
    text += fmt::format("  {}\n    {}\n", box_text(report, box.box), printable(box.reason));
  }
  return text + "\n";
}

Json sides_json(const BoundReport& report, const BothSides& sides) {
  const bool says_something = sides.proven < model::useless_bound;
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

Json around_json(const SafeAround& around, const std::vector<std::string>& names) {
  Json point = Json::object();
  for (size_t i = 0; i < around.point.size() && i < names.size(); ++i)
    if (!std::isnan(around.point[i])) // NaN: the whole range of the input
      point[names[i]] = around.point[i];
  return {{"point", point},
          {"box", around.box.empty() ? Json(nullptr) : model::to_json(around.box, names)},
          {"bound", around.box.empty() ? Json(nullptr) : Json(around.bound)}};
}

// A proof begins each run with the initial values of variables that keep theirs between calls.
std::string changing_words(const std::vector<std::string>& changing) {
  constexpr size_t most = 3;
  if (changing.empty())
    return "";
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(changing.size(), most); ++i)
    names.push_back(printable(changing[i]));
  const std::string more = changing.size() > most ? fmt::format(" and {} more", changing.size() - most) : "";
  return fmt::format("with the initial {} of {}{}", changing.size() > 1 ? "values" : "value", fmt::join(names, ", "),
                     more);
}

} // namespace

std::string map_summary(const BoundReport& report) {
  const SafetyMap& map = report.bounds.map;
  const std::vector<size_t> free = free_inputs(report);
  std::vector<std::string> parts;
  if (free.size() == 1) {
    const std::string& name = report.inputs[free[0]].name;
    for (const std::string& words :
         {model::safe_words(map, free[0], name), model::unsafe_words(map, free[0], name, report.measure),
          model::open_words(map, free[0], name)})
      if (!words.empty())
        parts.push_back(words);
    return fmt::format("{}", fmt::join(parts, "; "));
  }
  double worst = 0;
  for (const MapBox& box : map.unsafe)
    worst = std::max(worst, box.error);
  if (map.unsafe.empty() && map.open.empty())
    return "safe in the whole range (proved)";
  parts = {fmt::format("safe in {} of the range (proved)", share_words(map.shares[0]))};
  if (!map.unsafe.empty())
    parts.push_back(fmt::format("wrong by up to {}, found in boxes that are {} of it",
                                model::found_words(worst, report.measure), share_words(map.shares[1])));
  if (!map.open.empty())
    parts.push_back(fmt::format("{} open", share_words(map.shares[2])));
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string map_text(const BoundReport& report, const Style& style) {
  if (!report.threshold)
    return "";
  const SafetyMap& map = report.bounds.map;
  return style.bold(fmt::format("where the {} error is above {}", model::text(report.measure), *report.threshold)) +
         fmt::format("\n  {}\n", map_summary(report)) + boxes_text(report, "nowhere in (proved)", map.safe) +
         boxes_text(report, "found in", map.unsafe) + boxes_text(report, "not known in", map.open) + "\n";
}

std::string around_text(const BoundReport& report) {
  if (!report.bounds.around)
    return "";
  const SafeAround& around = *report.bounds.around;
  const std::vector<std::string> names = names_of(report.inputs);
  const std::string point = point_words(names, {around.point.begin(), around.point.end()});
  if (around.box.empty())
    return fmt::format("no safe box around {} can be proved\n\n", point);
  return fmt::format("safe around {} (proved): {}\n  no error above {} there\n\n", point, box_words(names, around.box),
                     three_digits(around.bound, true));
}

std::string proof_text(const TargetReport& target) {
  if (!target.proof || !target.proof->proved)
    return "";
  const Proof& proof = *target.proof;
  const BoxEnds box = whole_range(target.inputs);
  constexpr size_t most = 4; // inputs whose ranges are printed: an array has many
  const std::string where =
      box.size() > most ? "all inputs of the given ranges" : box_words(names_of(target.inputs), box);
  const std::string changing = changing_words(proof.changing);
  return fmt::format("proved: no {}error above {:g}{} for {}{}; none is above {}",
                     proof.measure == ErrorMeasure::absolute ? "absolute " : "", proof.threshold,
                     proof.measure == ErrorMeasure::ulps ? " ulps" : "", where, changing.empty() ? "" : ", " + changing,
                     three_digits(proof.bound, true));
}

std::string check_text(const Certificate& certificate, const CertificateCheck& check, const Style& style) {
  const std::string what = fmt::format("{}, {}", printable(certificate.function),
                                       box_words(names_of(certificate), whole_range(certificate)));
  if (!check.refusal.empty()) {
    std::string text = fmt::format("{}: {}\n  {}\n", style.bad("refused"), what, printable(check.refusal));
    if (check.box)
      text += fmt::format("  in box {}: {}\n", *check.box, box_words(names_of(certificate), check.ends));
    return text;
  }
  std::string text = fmt::format("{}: {}\n{}", style.mark("verified"), what, inputs_text(certificate));
  for (const CertifiedOutput& output : certificate.outputs)
    text += claims_text(output);
  if (certificate.floor > 0)
    text += fmt::format("  relative to results of at least {}\n", plain_number(certificate.floor));
  if (check.open > 0)
    text += style.warn(fmt::format("  except in {} of the boxes, where nothing is proved", check.open)) + "\n";
  text += check.source.empty()
              ? fmt::format("  of the code in the certificate, which names {}:{} as its source\n",
                            printable(std::filesystem::path(certificate.file).filename().string()), certificate.line)
              : fmt::format("  of {}, as it is compiled here\n", printable(check.source));
  return text + fmt::format("{} boxes on {}, {:.2f} s.\n", check.boxes, counted(certificate.paths.size(), "path"),
                            check.seconds);
}

std::string check_json(const Certificate& certificate, const CertificateCheck& check) {
  Json outputs = Json::array(), inputs = Json::array();
  for (const CertifiedInput& input : certificate.inputs)
    inputs.push_back(
        {{"name", input.name}, {"format", numeric::info(input.format).name}, {"low", input.low}, {"high", input.high}});
  for (const CertifiedOutput& output : certificate.outputs) {
    Json json{{"name", output.name}};
    for (const ErrorMeasure measure : model::all_measures) {
      const double claim = output.claims[size_t(measure)];
      json[std::string(model::text(measure))] = claim == model::no_claim ? Json(nullptr) : Json(claim);
    }
    outputs.push_back(std::move(json));
  }
  Json json{{"verified", check.refusal.empty()},
            {"function", certificate.function},
            {"inputs", inputs},
            {"outputs", outputs},
            {"complete", check.open == 0},
            {"boxes", check.boxes},
            {"open", check.open},
            {"source", check.source.empty() ? Json(nullptr) : Json(check.source)},
            {"seconds", check.seconds}};
  if (!check.refusal.empty()) {
    Json box = Json::object();
    for (size_t i = 0; i < check.ends.size(); ++i)
      box[certificate.inputs[i].name] = Json::array({check.ends[i].first, check.ends[i].second});
    json["refusal"] = {
        {"reason", check.refusal}, {"number", check.box ? Json(*check.box) : Json(nullptr)}, {"box", box}};
  }
  return model::json_text(json, 2) + "\n";
}

std::string three_digits(double value, bool up) {
  if (!(value < model::useless_bound))
    return "none";
  const std::string nearest = fmt::format("{:.2e}", value); // 1.23e-45
  const double back = std::strtod(nearest.c_str(), nullptr);
  if (up ? back >= value : back <= value)
    return nearest;
  int digits = 100 * (nearest[0] - '0') + 10 * (nearest[2] - '0') + (nearest[3] - '0') + (up ? 1 : -1);
  int exponent = std::atoi(nearest.c_str() + nearest.find('e') + 1);
  if (digits == 1000 || digits == 99) { // 9.99 and 1.00 are next to a number with another exponent
    digits = up ? 100 : 999;
    exponent += up ? 1 : -1;
  }
  return fmt::format("{}.{:02}e{}{:02}", digits / 100, digits % 100, exponent < 0 ? '-' : '+', std::abs(exponent));
}

std::string plain_number(double value) { return fmt::format("{}", value); }

std::string box_words(const std::vector<std::string>& names, const BoxEnds& box) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < box.size() && i < names.size(); ++i)
    parts.push_back(box[i].first == box[i].second ? fmt::format("{} = {}", names[i], plain_number(box[i].first))
                                                  : fmt::format("{} in [{}, {}]", names[i], plain_number(box[i].first),
                                                                plain_number(box[i].second)));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string closing_words(const BoundReport& report) {
  const Bounds& bounds = report.bounds;
  return fmt::format("{} boxes on {}, {} evaluations, {:.2f} s.", bounds.boxes, counted(bounds.paths, "path"),
                     bounds.evaluations, bounds.seconds);
}

Json sides_words(const BoundReport& report) {
  Json all = Json::array();
  for (const BoundedOutput& output : report.bounds.outputs) {
    Json words = Json::array();
    for (const ErrorMeasure measure : model::all_measures) {
      const SidesWords of = words_of(output.of(measure), report.bounds.complete());
      words.push_back(Json::array({of.found, of.proven, of.ratio}));
    }
    all.push_back(std::move(words));
  }
  return all;
}

std::string bound_text(const BoundReport& raw, const Style& style) {
  BoundReport report = raw;
  for (model::InputRange& input : report.inputs)
    input.name = printable(input.name);
  std::string text = fmt::format("{} ({}:{}), {}\n\n", style.bold(printable(report.target.function)),
                                 printable(std::filesystem::path(report.target.file).filename().string()),
                                 report.target.line, box_text(report, whole_range(report.inputs)));
  text += table({{"output"},
                 {"error"},
                 {"found", Align::right},
                 {report.bounds.complete() ? "proven" : "proven elsewhere", Align::right},
                 {"ratio", Align::right},
                 {"found at", Align::left, 100}},
                rows_of(report), style) +
          "\n" + unproven_text(report, style) + map_text(report, style) + around_text(report);
  if (!report.bounds.changing.empty())
    text += "holds " + changing_words(report.bounds.changing) + "\n\n";
  return text + closing_words(report) + (report.note.empty() ? "" : "\n" + printable(report.note) + ".") + "\n";
}

Json bound_json_of(const BoundReport& report) {
  Json outputs = Json::array(), open = Json::array();
  for (const UnprovenBox& box : report.bounds.unproven_samples)
    open.push_back({{"box", model::to_json(box.box, names_of(report.inputs))}, {"reason", box.reason}});
  for (const BoundedOutput& output : report.bounds.outputs) {
    Json json{{"name", output.name}};
    for (const ErrorMeasure measure : model::all_measures)
      json[std::string(model::text(measure))] = sides_json(report, output.of(measure));
    json["complete"] = report.bounds.complete();
    json["open"] = open;
    outputs.push_back(std::move(json));
  }
  Json target{{"function", report.target.function}, {"file", report.target.file}, {"line", report.target.line},
              {"inputs", to_json(report.inputs)},   {"outputs", outputs},         {"unproven", report.bounds.unproven}};
  if (!report.bounds.complete())
    target["unproven_within"] = model::to_json(report.bounds.unproven_hull, names_of(report.inputs));
  if (report.threshold)
    target["map"] = model::to_json(report.bounds.map, names_of(report.inputs));
  if (const std::optional<SafeAround>& around = report.bounds.around)
    target["around"] = around_json(*around, names_of(report.inputs));
  target["boxes"] = report.bounds.boxes;
  target["paths"] = report.bounds.paths;
  target["evaluations"] = report.bounds.evaluations;
  target["seconds"] = report.bounds.seconds;
  target["proving_seconds"] = report.bounds.proving_seconds;
  if (!report.bounds.changing.empty())
    target["with_initial_values_of"] = report.bounds.changing;
  target["nearly_seconds"] = report.bounds.nearly_seconds;
  return {{"faultline", report.version},       {"schema", 1},
          {"command", report.command},         {"seed", report.seed},
          {"interrupted", report.interrupted}, {"targets", Json::array({target})}};
}

std::string bound_json(const BoundReport& report) { return model::json_text(bound_json_of(report), 2) + "\n"; }

} // namespace faultline::report
