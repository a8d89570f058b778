// Maps and proofs as JSON. A box is { "x": [LO, HI], ... }, or, without names, a list of such pairs.
#pragma once

#include "finding/bound/safety_map.h"
#include "finding/json/json_place.h"

namespace faultline::finding {

// Of the inputs, in their order.
using InputNames = std::vector<std::string>;

Json to_json(const BoxEnds& box, const InputNames& names = {});
Json to_json(const SafetyMap& map, const InputNames& names = {});
Json to_json(const Proof& proof, const InputNames& names = {});

BoxEnds box_at(const Place& place, const InputNames& names = {});
SafetyMap map_at(const Place& place, const InputNames& names = {});
Proof proof_at(const Place& place, const InputNames& names = {});

} // namespace faultline::finding
