#include "finding/vectors/vectors_json.h"

#include "finding/json/diagnosis_json.h"
#include "finding/json/input_json.h"

namespace faultline::finding {

Json decisions_json(const std::vector<std::pair<uint32_t, int64_t>>& decisions) {
  Json list = Json::array();
  for (const auto& [site, outcome] : decisions)
    list.push_back(Json::array({site, outcome}));
  return list;
}

std::vector<std::pair<uint32_t, int64_t>> decisions_at(const Place& place) {
  std::vector<std::pair<uint32_t, int64_t>> decisions;
  for (const Place& decision : place.elements()) {
    const std::vector<Place> parts = decision.elements();
    if (parts.size() != 2)
      decision.refuse("is not a site and an outcome");
    decisions.emplace_back(parts[0].whole<uint32_t>(), parts[1].integer());
  }
  return decisions;
}

Json candidate_json(const CandidateMessage& message) {
  return {{"region", text(message.region)},
          {"input", values_to_json(message.input)},
          {"decisions", decisions_json(message.decisions)}};
}

CandidateMessage candidate_at(const Place& place) {
  return {place["region"].id(region_of, "the region of a test vector"), values_at(place["input"]),
          decisions_at(place["decisions"])};
}

Json measured_json(const Measured& message) {
  Json list = Json::array();
  for (const MeasuredOutput& output : message.outputs) {
    Json json{{"output", output.output},
              {"computed", values_to_json({output.computed})},
              {"ulps", measure(output.ulps)},
              {"reference_by", output.reference_by}};
    if (output.reference)
      json["reference"] = values_to_json({*output.reference});
    list.push_back(std::move(json));
  }
  return list;
}

Measured measured_at(const Place& message) {
  const auto single = [](const Place& place) {
    const std::vector<long double> values = values_at(place);
    if (values.size() != 1)
      place.refuse("is not one number");
    return values.front();
  };
  Measured measured{message["ending"].string(), {}};
  for (const Place& place : message["measured"].elements()) {
    MeasuredOutput output{place["output"].whole<uint64_t>(),
                          single(place["computed"]),
                          {},
                          place["ulps"].measure(),
                          place["reference_by"].string()};
    if (const auto reference = place.find("reference"))
      output.reference = single(*reference);
    measured.outputs.push_back(std::move(output));
  }
  return measured;
}

} // namespace faultline::finding
