#include "finding/bound/bounds_json.h"

#include "finding/json/diagnosis_json.h"
#include "finding/json/input_json.h"

namespace faultline::finding {
namespace {

Json list_of(const std::vector<BoxEnds>& boxes) {
  Json list = Json::array();
  for (const BoxEnds& box : boxes)
    list.push_back(finding::to_json(box));
  return list;
}

BoxEnds box_at(const Place& place) {
  BoxEnds box;
  for (const Place& ends : place.elements()) {
    const std::vector<Place> both = ends.elements();
    if (both.size() != 2)
      ends.refuse("is not a pair of numbers");
    box.emplace_back(both[0].measure(), both[1].measure());
  }
  return box;
}

std::vector<BoxEnds> boxes_at(const Place& place) {
  std::vector<BoxEnds> boxes;
  for (const Place& box : place.elements())
    boxes.push_back(box_at(box));
  return boxes;
}

Json output_json(const BoundedOutput& output) {
  Json json{{"name", output.name}};
  for (const ErrorMeasure which : all_measures) {
    const BothSides& sides = output.of(which);
    json[std::string(text(which))] = {{"proven", finding::measure(sides.proven)},
                                      {"found", finding::measure(sides.found)},
                                      {"input", values_to_json(sides.input)}};
  }
  return json;
}

BoundedOutput output_at(const Place& place) {
  BoundedOutput output{place["name"].string(), {}};
  for (const ErrorMeasure which : all_measures) {
    const Place sides = place[std::string(text(which))];
    output.sides[size_t(which)] = {sides["proven"].measure(), sides["found"].measure(), values_at(sides["input"])};
  }
  return output;
}

} // namespace

Json to_json(const BoxEnds& box) {
  Json ends = Json::array();
  for (const auto& [low, high] : box)
    ends.push_back(Json::array({low, high}));
  return ends;
}

Json to_json(const SafetyMap& map) {
  return {{"safe", list_of(map.safe)}, {"unsafe", list_of(map.unsafe)}, {"open", list_of(map.open)}};
}

Json to_json(const Bounds& bounds) {
  Json outputs = Json::array(), unproven = Json::array();
  for (const BoundedOutput& output : bounds.outputs)
    outputs.push_back(output_json(output));
  for (const UnprovenBox& box : bounds.unproven_samples)
    unproven.push_back({{"box", to_json(box.box)}, {"reason", box.reason}});
  return {{"outputs", outputs},
          {"unproven", bounds.unproven},
          {"unproven_samples", unproven},
          {"boxes", bounds.boxes},
          {"paths", bounds.paths},
          {"evaluations", bounds.evaluations},
          {"seconds", measure(bounds.seconds)},
          {"proving_seconds", measure(bounds.proving_seconds)},
          {"nearly_seconds", measure(bounds.nearly_seconds)},
          {"stopped", bounds.stopped},
          {"map", to_json(bounds.map)}};
}

Bounds bounds_at(const Place& place) {
  Bounds bounds;
  for (const Place& output : place["outputs"].elements())
    bounds.outputs.push_back(output_at(output));
  bounds.unproven = place["unproven"].whole<uint64_t>();
  for (const Place& box : place["unproven_samples"].elements())
    bounds.unproven_samples.push_back({box_at(box["box"]), box["reason"].string()});
  bounds.boxes = place["boxes"].whole<uint64_t>();
  bounds.paths = place["paths"].whole<uint64_t>();
  bounds.evaluations = place["evaluations"].whole<uint64_t>();
  bounds.seconds = place["seconds"].measure();
  bounds.proving_seconds = place["proving_seconds"].measure();
  bounds.nearly_seconds = place["nearly_seconds"].measure();
  bounds.stopped = place["stopped"].truth();
  const Place map = place["map"];
  bounds.map = {boxes_at(map["safe"]), boxes_at(map["unsafe"]), boxes_at(map["open"])};
  return bounds;
}

} // namespace faultline::finding
