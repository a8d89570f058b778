// The messages of workers that make test vectors, as JSON. What stands in them is checked: somebody else may have
// written it.
#pragma once

#include "finding/json/json_place.h"
#include "finding/message.h"

namespace faultline::finding {

Json decisions_json(const std::vector<std::pair<uint32_t, int64_t>>& decisions);
std::vector<std::pair<uint32_t, int64_t>> decisions_at(const Place& place);

Json candidate_json(const CandidateMessage& message);
CandidateMessage candidate_at(const Place& place);

Json measured_json(const Measured& message); // its outputs
Measured measured_at(const Place& message);

} // namespace faultline::finding
