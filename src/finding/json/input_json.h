// The values of input cells as JSON: hexadecimal floats, which lose nothing.
#pragma once

#include "finding/json/json_place.h"

#include <vector>

namespace faultline::finding {

Json values_to_json(const std::vector<long double>& values);
std::vector<long double> values_at(const Place& place); // throws frontend::UserError

} // namespace faultline::finding
