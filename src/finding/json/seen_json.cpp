#include "finding/json/seen_json.h"

#include "finding/json/finding_json.h"
#include "finding/json/input_json.h"
#include "finding/json/json_place.h"
#include "finding/version.h"
#include "numeric/decimal.h"

#include <cmath>

namespace faultline::finding {
namespace {

constexpr int schema = 1;
constexpr const char* hint = "use a file that faultline record wrote";

Json to_json(const std::map<int, uint64_t>& sketch) {
  Json list = Json::array();
  for (const auto& [binade, count] : sketch)
    list.push_back(Json::array({binade, count}));
  return list;
}

numeric::Format format_of(const SeenInput& input) {
  for (const numeric::Format format : numeric::all_formats)
    if (input.type == numeric::info(format).name)
      return format;
  return numeric::all_formats.back(); // which has all integers, too
}

// As people write a number of the type.
std::string text_of(long double value, const SeenInput& input) {
  return numeric::shortest_decimal(value, format_of(input));
}

Json to_json(const SeenInput& input) {
  Json json = {{"name", input.name}, {"type", input.type}, {"finite", input.finite},    {"negative", input.negative},
               {"zero", input.zero}, {"nan", input.nan},   {"infinite", input.infinite}};
  if (input.finite > 0) {
    json["low"] = text_of(input.low, input);
    json["high"] = text_of(input.high, input);
  }
  if (input.least > 0) {
    json["least"] = text_of(input.least, input);
    json["most"] = text_of(input.most, input);
  }
  json["positives"] = to_json(input.positives);
  json["negatives"] = to_json(input.negatives);
  return json;
}

Json to_json(const SeenFunction& seen) {
  Json inputs = Json::array(), tuples = Json::array();
  for (const SeenInput& input : seen.inputs)
    inputs.push_back(to_json(input));
  for (const std::vector<long double>& tuple : seen.tuples)
    tuples.push_back(values_to_json(tuple));
  return {{"function", seen.function}, {"symbol", seen.symbol},   {"file", seen.file}, {"line", seen.line},
          {"calls", seen.calls},       {"sampled", seen.sampled}, {"inputs", inputs},  {"tuples", tuples}};
}

long double finite_at(const Place& place, const SeenInput& input) {
  const std::string text = place.string();
  const std::optional<long double> value = numeric::parse_number(text, format_of(input));
  if (!value || !std::isfinite(*value))
    place.refuse(fmt::format("'{}' is not a finite number", text.substr(0, 40)));
  return *value;
}

std::map<int, uint64_t> sketch_at(const Place& place) {
  std::map<int, uint64_t> sketch;
  for (const Place& entry : place.elements()) {
    const std::vector<Place> pair = entry.elements();
    if (pair.size() != 2)
      entry.refuse("is not a binade and a count");
    const int64_t binade = pair[0].integer();
    if (std::abs(binade) > 20'000) // those of long doubles end at 16445
      pair[0].refuse("is not a binade");
    sketch[int(binade)] = pair[1].whole<uint64_t>();
  }
  return sketch;
}

SeenInput input_at(const Place& place) {
  SeenInput input;
  input.name = place["name"].string();
  input.type = place["type"].string();
  input.finite = place["finite"].whole<uint64_t>();
  input.negative = place["negative"].whole<uint64_t>();
  input.zero = place["zero"].whole<uint64_t>();
  input.nan = place["nan"].whole<uint64_t>();
  input.infinite = place["infinite"].whole<uint64_t>();
  if (input.finite > 0) {
    input.low = finite_at(place["low"], input);
    input.high = finite_at(place["high"], input);
    if (input.low > input.high)
      place.refuse("\"low\" is above \"high\"");
  }
  if (const auto least = place.find("least")) {
    input.least = finite_at(*least, input);
    input.most = finite_at(place["most"], input);
    if (!(input.least > 0) || input.most < input.least)
      place.refuse("\"least\" is not above 0, or above \"most\"");
    if (input.finite > 0 && input.most != std::max(std::fabs(input.low), std::fabs(input.high)))
      place.refuse("\"most\" is not the magnitude of \"low\" or \"high\"");
  }
  input.positives = sketch_at(place["positives"]);
  input.negatives = sketch_at(place["negatives"]);
  return input;
}

SeenFunction function_at(const Place& place) {
  SeenFunction seen;
  seen.function = place["function"].string();
  seen.symbol = place["symbol"].string();
  seen.file = place["file"].string();
  seen.line = place["line"].whole<int>();
  seen.calls = place["calls"].whole<uint64_t>();
  seen.sampled = place["sampled"].truth();
  for (const Place& input : place["inputs"].elements())
    seen.inputs.push_back(input_at(input));
  for (const Place& tuple : place["tuples"].elements()) {
    seen.tuples.push_back(values_at(tuple));
    if (seen.tuples.back().size() != seen.inputs.size())
      tuple.refuse("does not have a value for each input");
  }
  if (seen.tuples.size() > most_seen_tuples)
    place["tuples"].refuse(fmt::format("has more than {} tuples", most_seen_tuples));
  return seen;
}

SeenRuns runs_at(const Place& place) {
  if (place["schema"].whole<int>() != schema)
    place["schema"].refuse(fmt::format("is not {}: another version of faultline wrote it", schema));
  SeenRuns runs;
  runs.command = words_at(place["command"]);
  runs.processes = place["processes"].whole<uint64_t>();
  for (const Place& function : place["seen"].elements())
    runs.functions.push_back(function_at(function));
  return runs;
}

} // namespace

std::string seen_text(const SeenRuns& runs) {
  Json functions = Json::array();
  for (const SeenFunction& seen : runs.functions)
    functions.push_back(to_json(seen));
  const Json json = {{"faultline", version},
                     {"schema", schema},
                     {"command", runs.command},
                     {"processes", runs.processes},
                     {"seen", functions}};
  return json_text(json, 1) + "\n";
}

SeenRuns parse_seen(std::string_view text, const std::string& name) {
  try {
    return read_json(text, name, runs_at);
  } catch (const frontend::UserError& problem) {
    throw frontend::UserError(problem.status, problem.what(), hint);
  }
}

} // namespace faultline::finding
