// Bounds, maps and proofs as JSON. A box is { "x": [LO, HI], ... }, or, without names, a list of such pairs.
#pragma once

#include "finding/bound/bound_report.h"
#include "finding/json/fields.h"

namespace faultline::finding {

// In the order of the target's inputs.
using InputNames = std::vector<std::string>;

void carry_box(const Value& value, BoxEnds& box, const InputNames& names = {});
void carry_map(const Value& value, SafetyMap& map, const InputNames& names = {});
void carry_proof(const Value& value, Proof& proof, const InputNames& names = {});

Json to_json(const BoxEnds& box, const InputNames& names);
Json to_json(const SafetyMap& map, const InputNames& names);

template <> void Fields::list(Proof& proof);
template <> void Fields::list(Bounds& bounds);

} // namespace faultline::finding
