// Extents of arrays as JSON: in messages of workers, and in reports.
#pragma once

#include "finding/extents.h"
#include "finding/json/json_place.h"

namespace faultline::finding {

Json to_json(const std::vector<FoundExtent>& arrays);
Json to_json(const FoundExtents& found);
std::vector<FoundExtent> extents_at(const Place& place); // throws frontend::UserError
FoundExtents found_extents_at(const Place& place);       // the same

} // namespace faultline::finding
