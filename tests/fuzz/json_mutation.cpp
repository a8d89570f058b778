#include "mutation.h"

#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>

namespace faultline::fuzz {
namespace {

using Json = nlohmann::ordered_json;

void collect(Json& json, std::vector<Json*>& places) {
  places.push_back(&json);
  for (Json& child : json)
    if (child.is_structured())
      collect(child, places);
    else
      places.push_back(&child);
}

// Values of every kind, and the ends of their ranges.
Json foreign(numeric::Rng& rng) {
  static const std::vector<Json> values = {nullptr,
                                           true,
                                           Json::array(),
                                           Json::object(),
                                           "",
                                           "nan",
                                           "0x1p+1",
                                           std::string("\0", 1),
                                           std::string(5000, 'x'),
                                           0,
                                           -1,
                                           0.5,
                                           -0.0,
                                           1e308,
                                           5e-324,
                                           int64_t(1) << 32,
                                           std::numeric_limits<int64_t>::min(),
                                           std::numeric_limits<uint64_t>::max(),
                                           {{"x", 1}},
                                           {1, "2", nullptr}};
  return values[rng.below(values.size())];
}

void change(Json& json, numeric::Rng& rng) {
  std::vector<Json*> places;
  collect(json, places);
  Json& here = *places[rng.below(places.size())];
  const Json other = *places[rng.below(places.size())];
  switch (rng.below(5)) {
  case 0:
    here = foreign(rng);
    break;
  case 1:
    if (here.is_structured() && !here.empty())
      here.erase(std::next(here.begin(), long(rng.below(here.size()))));
    break;
  case 2:
    if (here.is_array())
      here.push_back(other);
    break;
  case 3:
    here = Json::array({here});
    break;
  default:
    here = other;
  }
}

} // namespace

Material json_material(std::vector<std::string> seeds) {
  return {std::move(seeds),
          {"null", "true", "-1",          "-0.0",        "1e999",   "1e-999", "0x1", "18446744073709551616",
           "\"",   "\\",   "\"\\ud800\"", "\"\\u0000\"", "\"nan\"", "\xff",   "{}",  "[]",
           "{",    "}",    "[",           "]",           ",",       ":"},
          " \n,:[]{}",
          "["};
}

std::string json_mutant(const Material& material, numeric::Rng& rng) {
  if (rng.coin())
    return mutant(material, rng);
  Json json = Json::parse(material.seeds[rng.below(material.seeds.size())]);
  for (uint64_t changes = 1 + rng.below(3); changes > 0; --changes)
    change(json, rng);
  return json.dump();
}

} // namespace faultline::fuzz
