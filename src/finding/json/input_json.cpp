#include "finding/json/input_json.h"

#include "finding/json/json.h"
#include "numeric/decimal.h"

namespace faultline::finding {

Json values_to_json(const std::vector<long double>& values) {
  Json list = Json::array();
  for (const long double value : values)
    list.push_back(numeric::hex_float(value));
  return list;
}

std::vector<long double> values_at(const Place& place) {
  std::vector<long double> values;
  for (const Place& element : place.elements()) {
    const std::string text = element.string();
    const std::optional<long double> value = numeric::parse_long_double(text);
    if (!value)
      element.refuse(fmt::format("'{}' is not a number", text.substr(0, 40)));
    values.push_back(*value);
  }
  return values;
}

} // namespace faultline::finding
