#include "model/bound_report.h"
#include "model/json/finding_json.h"
#include "numeric/decimal.h"

#include <algorithm>
#include <limits>

namespace faultline::model {

namespace {

std::pair<double, double> ends_at(const Place& place) {
  const std::vector<Place> both = place.elements();
  if (both.size() != 2)
    place.refuse("is not a pair of numbers");
  // The largest number encodes infinity in a measure. Ends of boxes are written as they are.
  const auto end = [](const Place& one) {
    constexpr double most = std::numeric_limits<double>::max();
    return std::clamp(one.measure(), -most, most);
  };
  return {end(both[0]), end(both[1])};
}

void carry_point(const Value& value, std::vector<numeric::Value>& values, const InputNames& names) {
  if (names.empty()) {
    value.carry(values);
  } else if (value.reads()) {
    for (const std::string& name : names) {
      const Place cell = value.place()[name];
      const std::optional<numeric::Value> number = numeric::parse_long_double(cell["hex"].string());
      if (!number)
        cell.refuse("is not a number");
      values.push_back(*number);
    }
  } else {
    value.json() = Json::object();
    for (size_t i = 0; i < std::min(values.size(), names.size()); ++i)
      value.json()[names[i]] = {{"decimal", fmt::format("{}", double(values[i]))},
                                {"hex", fmt::format("{:a}", values[i])}};
  }
}

} // namespace

template <> void Value::carry(ErrorMeasure& measure) const { choose(measure, error_measure_of, "a measure of errors"); }

void carry_box(const Value& value, BoxEnds& box, const InputNames& names) {
  if (!value.reads()) {
    value.json() = to_json(box, names);
    return;
  }
  for (const std::string& name : names)
    box.push_back(ends_at(value.place()[name]));
  if (names.empty())
    for (const Place& ends : value.place().elements())
      box.push_back(ends_at(ends));
}

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

template <> void Value::carry(BoxEnds& box) const { carry_box(*this, box); }

// Data about boxes is a separate list in the order of the boxes, since an input may have any name.
void carry_map(const Value& value, SafetyMap& map, const InputNames& names) {
  constexpr std::array<const char*, 3> colours = {"safe", "unsafe", "open"};
  const std::array<std::vector<MapBox>*, 3> boxes = {&map.safe, &map.unsafe, &map.open};
  std::array<std::vector<double>, 3> bounds;
  Fields fields(value);
  for (size_t i = 0; i < colours.size(); ++i) {
    for (const MapBox& box : *boxes[i])
      bounds[i].push_back(box.bound);
    fields.with(colours[i], [&](const Value& list) {
      list.each(*boxes[i], [&](const Value& box, MapBox& content) { carry_box(box, content.ends, names); });
    });
  }
  fields.with("bounds", [&](const Value& object) {
    Fields inner(object);
    for (size_t i = 0; i < colours.size(); ++i)
      inner.required(colours[i], bounds[i]);
  });
  for (size_t i = 0; i < colours.size() && value.reads(); ++i) {
    fields.check(bounds[i].size() >= boxes[i]->size(), "bounds", "has fewer bounds than there are boxes");
    for (size_t j = 0; j < boxes[i]->size(); ++j)
      (*boxes[i])[j].bound = bounds[i][j];
  }
  std::vector<MapBox> shown = map.unsafe;
  fields.with("witnesses", [&](const Value& list) {
    list.each(shown, [&](const Value& witness, MapBox& box) {
      Fields inner(witness);
      inner.with("input", [&](const Value& point) { carry_point(point, box.witness, names); });
      inner.required("error", box.error);
    });
  });
  for (size_t i = 0; i < std::min(shown.size(), map.unsafe.size()) && value.reads(); ++i) {
    map.unsafe[i].witness = std::move(shown[i].witness);
    map.unsafe[i].error = shown[i].error;
  }
  fields.with("shares", [&](const Value& object) {
    Fields inner(object);
    for (size_t i = 0; i < colours.size(); ++i)
      inner.required(colours[i], map.shares[i]);
  });
}

Json to_json(const SafetyMap& map, const InputNames& names) {
  Json json;
  carry_map(Value(json), const_cast<SafetyMap&>(map), names);
  return json;
}

template <> void Fields::list(SafetyMap& map) { carry_map(value(), map); }

void carry_proof(const Value& value, Proof& proof, const InputNames& names) {
  Fields fields(value);
  FAULTLINE_FIELDS(fields.required, proof, measure, threshold, proved, bound, boxes);
  if (names.empty()) { // part of a message: every field is present
    FAULTLINE_FIELDS(fields.required, proof, reason, cut, map, changing);
    return;
  }
  FAULTLINE_FIELDS(fields.optional, proof, reason, cut, changing);
  if (fields.present("map", !proof.map.empty()))
    fields.with("map", [&](const Value& map) { carry_map(map, proof.map, names); });
}

template <> void Fields::list(Proof& proof) { carry_proof(value(), proof); }

template <> void Fields::list(BothSides& sides) { FAULTLINE_FIELDS(required, sides, proven, found, input); }

template <> void Fields::list(BoundedOutput& output) {
  required("name", output.name);
  for (const ErrorMeasure which : all_measures)
    required(std::string(text(which)), output.sides[size_t(which)]);
}

template <> void Fields::list(UnprovenBox& box) { FAULTLINE_FIELDS(required, box, box, reason); }

// A list of numbers: the input, then one error per measure.
template <> void Value::carry(ErrorCurve::Point& point) const {
  std::array<double, 1 + all_measures.size()> row = {point.at};
  std::ranges::copy(point.errors, row.begin() + 1);
  carry(row);
  if (reads())
    point.at = row[0], std::copy(row.begin() + 1, row.end(), point.errors.begin());
}

template <> void Value::carry(ErrorCurve::Stretch& stretch) const {
  std::array<double, 2 + all_measures.size()> row = {stretch.low, stretch.high};
  std::ranges::copy(stretch.bounds, row.begin() + 2);
  carry(row);
  if (reads())
    stretch.low = row[0], stretch.high = row[1], std::copy(row.begin() + 2, row.end(), stretch.bounds.begin());
}

template <> void Fields::list(ErrorCurve& curve) { FAULTLINE_FIELDS(required, curve, points, stretches); }

template <> void Fields::list(SafeAround& around) { FAULTLINE_FIELDS(required, around, point, box, bound); }

template <> void Fields::list(Bounds& bounds) {
  FAULTLINE_FIELDS(required, bounds, outputs, unproven, unproven_hull, unproven_samples, boxes, paths, evaluations,
                   seconds, proving_seconds, nearly_seconds, stopped, map, curve, changing);
  std::vector<SafeAround> around; // at most one
  if (!reads() && bounds.around)
    around.push_back(*bounds.around);
  required("around", around);
  if (reads() && !around.empty())
    bounds.around = around.back();
}

double BoundReport::found(ErrorMeasure which) const {
  double most = 0;
  for (const BoundedOutput& output : bounds.outputs)
    most = std::max(most, output.of(which).found);
  return most;
}

double BoundReport::proven(ErrorMeasure which) const {
  double most = bounds.complete() && !bounds.outputs.empty() ? 0 : std::numeric_limits<double>::infinity();
  for (const BoundedOutput& output : bounds.outputs)
    most = std::max(most, output.of(which).proven);
  return most;
}

} // namespace faultline::model
