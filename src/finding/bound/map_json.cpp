#include "finding/bound/map_json.h"

#include "finding/json/diagnosis_json.h"
#include "finding/json/input_json.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <limits>

namespace faultline::finding {
namespace {

constexpr std::array<const char*, 3> colours = {"safe", "unsafe", "open"};

const std::vector<MapBox>& boxes_of(const SafetyMap& map, size_t colour) {
  return colour == 0 ? map.safe : colour == 1 ? map.unsafe : map.open;
}
std::vector<MapBox>& boxes_of(SafetyMap& map, size_t colour) {
  return colour == 0 ? map.safe : colour == 1 ? map.unsafe : map.open;
}

std::pair<double, double> ends_at(const Place& place) {
  const std::vector<Place> both = place.elements();
  if (both.size() != 2)
    place.refuse("is not a pair of numbers");
  // As measures the largest numbers stand for infinity; ends are what they are.
  const auto end = [](const Place& one) {
    constexpr double most = std::numeric_limits<double>::max();
    return std::clamp(one.measure(), -most, most);
  };
  return {end(both[0]), end(both[1])};
}

Json point_json(const std::vector<long double>& values, const InputNames& names) {
  if (names.empty())
    return values_to_json(values);
  Json json = Json::object();
  for (size_t i = 0; i < std::min(values.size(), names.size()); ++i)
    json[names[i]] = {{"decimal", fmt::format("{}", double(values[i]))}, {"hex", fmt::format("{:a}", values[i])}};
  return json;
}

std::vector<long double> point_at(const Place& place, const InputNames& names) {
  if (names.empty())
    return values_at(place);
  std::vector<long double> values;
  for (const std::string& name : names) {
    const std::optional<long double> value = numeric::parse_long_double(place[name]["hex"].string());
    if (!value)
      place[name].refuse("is not a number");
    values.push_back(*value);
  }
  return values;
}

} // namespace

Json to_json(const BoxEnds& box, const InputNames& names) {
  Json json = names.empty() ? Json::array() : Json::object();
  for (size_t i = 0; i < box.size(); ++i) {
    Json ends = Json::array({box[i].first, box[i].second});
    if (names.empty())
      json.push_back(std::move(ends));
    else if (i < names.size())
      json[names[i]] = std::move(ends);
  }
  return json;
}

BoxEnds box_at(const Place& place, const InputNames& names) {
  BoxEnds box;
  for (const std::string& name : names)
    box.push_back(ends_at(place[name]));
  if (names.empty())
    for (const Place& ends : place.elements())
      box.push_back(ends_at(ends));
  return box;
}

// What belongs to the boxes stands beside them, in the same order: an input may have any name.
Json to_json(const SafetyMap& map, const InputNames& names) {
  Json json, bounds, shares;
  Json witnesses = Json::array();
  for (size_t colour = 0; colour < colours.size(); ++colour) {
    Json boxes = Json::array(), of_boxes = Json::array();
    for (const MapBox& box : boxes_of(map, colour)) {
      boxes.push_back(to_json(box.ends, names));
      of_boxes.push_back(measure(box.bound));
    }
    json[colours[colour]] = std::move(boxes);
    bounds[colours[colour]] = std::move(of_boxes);
    shares[colours[colour]] = measure(map.shares[colour]);
  }
  for (const MapBox& box : map.unsafe)
    witnesses.push_back({{"input", point_json(box.witness, names)}, {"error", measure(box.error)}});
  json["bounds"] = std::move(bounds);
  json["witnesses"] = std::move(witnesses);
  json["shares"] = std::move(shares);
  return json;
}

SafetyMap map_at(const Place& place, const InputNames& names) {
  SafetyMap map;
  for (size_t colour = 0; colour < colours.size(); ++colour) {
    const std::vector<Place> bounds = place["bounds"][colours[colour]].elements();
    for (const Place& box : place[colours[colour]].elements()) {
      std::vector<MapBox>& boxes = boxes_of(map, colour);
      if (boxes.size() >= bounds.size())
        place["bounds"].refuse("has fewer bounds than there are boxes");
      boxes.push_back({.ends = box_at(box, names), .bound = bounds[boxes.size()].measure()});
    }
    map.shares[colour] = place["shares"][colours[colour]].measure();
  }
  const std::vector<Place> witnesses = place["witnesses"].elements();
  for (size_t i = 0; i < std::min(witnesses.size(), map.unsafe.size()); ++i) {
    map.unsafe[i].witness = point_at(witnesses[i]["input"], names);
    map.unsafe[i].error = witnesses[i]["error"].measure();
  }
  return map;
}

Json to_json(const Proof& proof, const InputNames& names) {
  Json json{{"measure", text(proof.measure)},
            {"threshold", proof.threshold},
            {"proved", proof.proved},
            {"bound", measure(proof.bound)},
            {"boxes", proof.boxes}};
  const bool all = names.empty(); // of a message: nothing is left out
  if (all || !proof.reason.empty())
    json["reason"] = proof.reason;
  if (all || proof.cut)
    json["cut"] = proof.cut;
  if (all || !proof.map.empty())
    json["map"] = to_json(proof.map, names);
  return json;
}

Proof proof_at(const Place& place, const InputNames& names) {
  Proof proof;
  proof.measure = place["measure"].id(error_measure_of, "a measure of errors");
  proof.threshold = place["threshold"].measure();
  proof.proved = place["proved"].truth();
  proof.bound = place["bound"].measure();
  proof.boxes = place["boxes"].whole<uint64_t>();
  if (names.empty()) {
    proof.reason = place["reason"].string();
    proof.cut = place["cut"].truth();
    proof.map = map_at(place["map"]);
    return proof;
  }
  read(place, "reason", proof.reason);
  read(place, "cut", proof.cut);
  if (const auto map = place.find("map"))
    proof.map = map_at(*map, names);
  return proof;
}

} // namespace faultline::finding
