// Bounds as JSON, as a worker sends them.
#pragma once

#include "finding/bound/bound_report.h"
#include "finding/json/json_place.h"

namespace faultline::finding {

Json to_json(const Bounds& bounds);
Bounds bounds_at(const Place& place);

} // namespace faultline::finding
