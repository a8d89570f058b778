#include "finding/bound/bounds_json.h"

#include "finding/bound/map_json.h"
#include "finding/json/diagnosis_json.h"
#include "finding/json/input_json.h"

namespace faultline::finding {
namespace {

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

Json values_of(const std::array<double, all_measures.size()>& values) {
  Json list = Json::array();
  for (const double value : values)
    list.push_back(finding::measure(value));
  return list;
}

std::array<double, all_measures.size()> values_at(const std::vector<Place>& places, size_t first) {
  std::array<double, all_measures.size()> values = {};
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = places[first + i].measure();
  return values;
}

// Each a list of numbers: where, and then the measures.
Json curve_json(const ErrorCurve& curve) {
  Json points = Json::array(), stretches = Json::array();
  for (const ErrorCurve::Point& point : curve.points) {
    Json row = values_of(point.errors);
    row.insert(row.begin(), point.at);
    points.push_back(std::move(row));
  }
  for (const ErrorCurve::Stretch& stretch : curve.stretches) {
    Json row = values_of(stretch.bounds);
    row.insert(row.begin(), stretch.high);
    row.insert(row.begin(), stretch.low);
    stretches.push_back(std::move(row));
  }
  return {{"points", points}, {"stretches", stretches}};
}

std::vector<Place> row_at(const Place& place, size_t size) {
  std::vector<Place> row = place.elements();
  if (row.size() != size)
    place.refuse(fmt::format("does not have {} numbers", size));
  return row;
}

ErrorCurve curve_at(const Place& place) {
  ErrorCurve curve;
  for (const Place& point : place["points"].elements()) {
    const std::vector<Place> row = row_at(point, 1 + all_measures.size());
    curve.points.push_back({row[0].measure(), values_at(row, 1)});
  }
  for (const Place& stretch : place["stretches"].elements()) {
    const std::vector<Place> row = row_at(stretch, 2 + all_measures.size());
    curve.stretches.push_back({row[0].measure(), row[1].measure(), values_at(row, 2)});
  }
  return curve;
}

SafeAround around_at(const Place& place) {
  SafeAround around;
  for (const Place& value : place["point"].elements())
    around.point.push_back(value.measure());
  around.box = box_at(place["box"]);
  around.bound = place["bound"].measure();
  return around;
}

} // namespace

Json to_json(const Bounds& bounds) {
  Json outputs = Json::array(), unproven = Json::array();
  for (const BoundedOutput& output : bounds.outputs)
    outputs.push_back(output_json(output));
  for (const UnprovenBox& box : bounds.unproven_samples)
    unproven.push_back({{"box", to_json(box.box)}, {"reason", box.reason}});
  Json json{{"outputs", outputs},
            {"unproven", bounds.unproven},
            {"unproven_hull", to_json(bounds.unproven_hull)},
            {"unproven_samples", unproven},
            {"boxes", bounds.boxes},
            {"paths", bounds.paths},
            {"evaluations", bounds.evaluations},
            {"seconds", measure(bounds.seconds)},
            {"proving_seconds", measure(bounds.proving_seconds)},
            {"nearly_seconds", measure(bounds.nearly_seconds)},
            {"stopped", bounds.stopped},
            {"map", to_json(bounds.map)},
            {"curve", curve_json(bounds.curve)}};
  Json& around = json["around"] = Json::array(); // of one, or none
  if (bounds.around)
    around.push_back({{"point", bounds.around->point},
                      {"box", to_json(bounds.around->box)},
                      {"bound", measure(bounds.around->bound)}});
  return json;
}

Bounds bounds_at(const Place& place) {
  Bounds bounds;
  for (const Place& output : place["outputs"].elements())
    bounds.outputs.push_back(output_at(output));
  bounds.unproven = place["unproven"].whole<uint64_t>();
  bounds.unproven_hull = box_at(place["unproven_hull"]);
  for (const Place& box : place["unproven_samples"].elements())
    bounds.unproven_samples.push_back({box_at(box["box"]), box["reason"].string()});
  bounds.boxes = place["boxes"].whole<uint64_t>();
  bounds.paths = place["paths"].whole<uint64_t>();
  bounds.evaluations = place["evaluations"].whole<uint64_t>();
  bounds.seconds = place["seconds"].measure();
  bounds.proving_seconds = place["proving_seconds"].measure();
  bounds.nearly_seconds = place["nearly_seconds"].measure();
  bounds.stopped = place["stopped"].truth();
  bounds.map = map_at(place["map"]);
  bounds.curve = curve_at(place["curve"]);
  for (const Place& around : place["around"].elements())
    bounds.around = around_at(around);
  return bounds;
}

} // namespace faultline::finding
