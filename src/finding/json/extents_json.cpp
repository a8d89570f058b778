#include "finding/json/extents_json.h"

#include "finding/json/json.h"
#include "frontend/most_cells.h"

namespace faultline::finding {

Json to_json(const std::vector<FoundExtent>& arrays) {
  Json list = Json::array();
  for (const FoundExtent& array : arrays) {
    Json entry{{"parameter", array.parameter}, {"extents", array.extents}};
    if (!array.formula.empty())
      entry["formula"] = array.formula;
    if (array.endless)
      entry["endless"] = true;
    if (array.before)
      entry["before"] = true;
    list.push_back(std::move(entry));
  }
  return list;
}

std::vector<FoundExtent> extents_at(const Place& place) {
  std::vector<FoundExtent> arrays;
  for (const Place& entry : place.elements()) {
    FoundExtent array{entry["parameter"].string(), {}};
    uint64_t count = 1;
    for (const Place& extent : entry["extents"].elements()) {
      array.extents.push_back(extent.whole<uint64_t>());
      if (array.extents.back() == 0 || array.extents.back() > frontend::most_cells / count)
        extent.refuse("is not the extent of an array");
      count *= array.extents.back();
    }
    if (array.extents.empty())
      entry["extents"].refuse("is empty");
    read(entry, "formula", array.formula);
    read(entry, "endless", array.endless);
    read(entry, "before", array.before);
    arrays.push_back(std::move(array));
  }
  return arrays;
}

Json to_json(const FoundExtents& found) {
  Json held = Json::array(), ranges = Json::array();
  for (const auto& [name, value] : found.held)
    held.push_back({{"input", name}, {"value", value}});
  for (const auto& [name, range] : found.ranges)
    ranges.push_back({{"input", name}, {"low", int64_t(range.low)}, {"high", int64_t(range.high)}});
  return {{"arrays", to_json(found.arrays)}, {"held", held}, {"ranges", ranges}, {"cut", found.cut}};
}

FoundExtents found_extents_at(const Place& place) {
  FoundExtents found;
  found.arrays = extents_at(place["arrays"]);
  for (const Place& held : place["held"].elements())
    found.held[held["input"].string()] = held["value"].integer();
  for (const Place& range : place["ranges"].elements())
    found.ranges[range["input"].string()] = {(long double)range["low"].integer(), (long double)range["high"].integer()};
  found.cut = place["cut"].truth();
  return found;
}

} // namespace faultline::finding
